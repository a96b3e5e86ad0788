"""The environment → paths, model and secrets; `load` joins them with config.yaml."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from types import MappingProxyType

from hermes.errors import ConfigError
from hermes.settings.disk import content
from hermes.settings.shape import Paths, Secret, Settings, SkillSettings, masked

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pathlib import Path
    from typing import Any

_HOME_FLAG = "--home"
_POSTGRES = r"(?i)postgres(ql)?(\+\w+)?://"


def load(environ: Mapping[str, str] | None = None, *, home: str | None = None) -> Settings:
    """The settings of this process: `home` beats the environment, which beats config.yaml.

    A variable that is set to nothing counts as not set, as in a compose file.
    """
    environ = os.environ if environ is None else environ
    paths, sources = _paths(environ, home)
    values, lines = _config_file(paths.config_file)
    sources |= {key: f"config.yaml:{line}" for key, line in lines.items()}
    if (model := _model(environ, values.get("model"))) is not None:
        values["model"], sources["model"] = model
    if url := _variable(environ, "MEMORY_DB_URL"):
        values["database_url"] = _database_url(url)
        sources["database_url"] = "environment:MEMORY_DB_URL"
    for name in ("OPENAI_API_KEY", "ANTHROPIC_API_KEY"):
        if key := _variable(environ, name):
            values[name.lower()] = Secret(key)
            sources[name.lower()] = f"environment:{name}"
    if (variable := _key_variable(values)) and (key := _variable(environ, variable)):
        values["embedder_api_key"] = Secret(key)
        sources["embedder_api_key"] = f"environment:{variable}"
    if "skills" in values:
        values["skills"] = _with_absolute_dirs(values["skills"], environ, paths.home)
    return Settings(**values, paths=paths, sources=MappingProxyType(sources))


def locate(environ: Mapping[str, str] | None = None, *, home: str | None = None) -> Paths:
    """The paths alone, without opening a file: they are needed even where config.yaml is broken."""
    return _paths(os.environ if environ is None else environ, home)[0]


def _config_file(file: Path) -> tuple[dict[str, Any], dict[str, int]]:
    """What config.yaml says, and where; a file that is not there says nothing."""
    data = content(file)
    if data is None:
        return {}, {}
    from hermes.settings.config_file import decode, parse

    return parse(decode(data, file), file)


def _key_variable(values: Mapping[str, Any]) -> str | None:
    """Where config.yaml says that the embedder's key is."""
    endpoint = values["memory"].embedder if "memory" in values else None
    return None if endpoint is None else endpoint.api_key_env


def _variable(environ: Mapping[str, str], name: str) -> str:
    return environ.get(name, "").strip()


def _absolute(text: str, environ: Mapping[str, str], base: Path | None = None) -> str:
    """The text as an absolute path, by names only: links stay as the user wrote them."""
    user_home = _variable(environ, "HOME")
    if user_home and (text == "~" or text.startswith("~/")):
        text = user_home + text[1:]
    text = os.path.expanduser(text)
    if text.startswith("~"):
        raise ConfigError(f"{text}: there is no such user", hint="write ./ before a plain ~")
    try:
        return os.path.abspath(os.path.join(base or "", text))
    except OSError:  # only a relative path asks where we are
        raise ConfigError(f"{text} is relative to a folder that is gone") from None


def _paths(environ: Mapping[str, str], home: str | None) -> tuple[Paths, dict[str, str]]:
    """Every path, and for each that was moved, by what."""
    from pathlib import Path

    def folder(name: str, otherwise: Path, source: str) -> tuple[Path, str]:
        given = _variable(environ, name)
        if not given:
            return otherwise, source
        return Path(_absolute(given, environ)), f"environment:{name}"

    if home is not None:
        if not home.strip():
            raise ConfigError("--home is empty", hint="leave it out, or give a folder")
        root, by_root = Path(_absolute(home, environ)), _HOME_FLAG
    else:
        root, by_root = folder("HERMES_HOME", Path(_absolute("~/.hermes", environ)), "")
    loop = root / "loop"
    skills, by_skills = folder("HERMES_SKILLS_DIR", root / "skills", by_root)
    kept, by_kept = folder("PERSISTENT_DIR", loop, by_root)
    placed = {
        "home": (root, by_root),
        "skills_dir": (skills, by_skills),
        "loop_dir": (loop, by_root),
        "config_file": (loop / "config.yaml", by_root),
        "hub_dir": (loop / "hub", by_root),
        "models_dir": (loop / "models", by_root),
        "database_file": (kept / "loop.db", by_kept),
        "jobs_file": (kept / "jobs.db", by_kept),
        "blobs_dir": (kept / "blobs", by_kept),
        "data_dir": (kept / "data", by_kept),
        "logs_dir": (kept / "logs", by_kept),
    }
    paths = Paths(**{name: path for name, (path, _) in placed.items()})
    return paths, {f"paths.{name}": source for name, (_, source) in placed.items() if source}


def _model(environ: Mapping[str, str], configured: str | None) -> tuple[str, str] | None:
    """What LLM_PROVIDER and DEFAULT_MODEL name together, and which of them said it."""
    provider = _variable(environ, "LLM_PROVIDER").lower()
    name = _variable(environ, "DEFAULT_MODEL")
    if name and provider:
        prefix = f"{provider}:"
        bare = name[len(prefix) :] if name.lower().startswith(prefix) else name
        if not bare:
            raise ConfigError(f"DEFAULT_MODEL is {name!r}, which names no model")
        return prefix + bare, "environment:LLM_PROVIDER,DEFAULT_MODEL"
    if name:
        if not all(name.partition(":")):
            raise ConfigError(
                f"DEFAULT_MODEL is {name!r}, which names no provider",
                hint=f"set LLM_PROVIDER too, or write openai:{name}",
            )
        return name, "environment:DEFAULT_MODEL"
    if provider and configured and configured.partition(":")[0].lower() != provider:
        raise ConfigError(
            f"LLM_PROVIDER is {provider!r}, but config.yaml's model is {configured!r}",
            hint="set DEFAULT_MODEL too, or unset LLM_PROVIDER",
        )
    return None


def _database_url(url: str) -> Secret:
    """The URL as PostgreSQL's driver wants it; other stacks write `postgresql+driver://`."""
    if not re.match(_POSTGRES, url):
        raise ConfigError(
            f"MEMORY_DB_URL: expected a postgresql:// URL, found {url.partition(':')[0]!r}",
            hint="unset it to keep everything in SQLite",
        )
    plain = re.sub(_POSTGRES, "postgresql://", url, count=1)
    return Secret(plain, masked(plain))


def _with_absolute_dirs(
    skills: SkillSettings, environ: Mapping[str, str], home: Path
) -> SkillSettings:
    """A relative folder in config.yaml means the same wherever the program is started."""
    folders = tuple(_absolute(one, environ, home) for one in skills.external_dirs)
    return skills.replace(external_dirs=folders)
