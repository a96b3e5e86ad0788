"""Dependencies → effects: names that resemble others, sources nobody vouches for, install hooks."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import lru_cache

from hermes.rules.scan.destinations import Reach, reach_of, urls
from hermes.rules.scan.effects import Effect, Kind, Piece
from hermes.rules.scan.natures import is_requirements

_PYTHON = frozenset(
    """requests numpy pandas scipy matplotlib seaborn scikit-learn tensorflow torch torchvision keras
    transformers openai anthropic langchain llama-index tiktoken flask django fastapi starlette uvicorn
    gunicorn httpx aiohttp urllib3 certifi beautifulsoup4 bs4 lxml html5lib selenium playwright scrapy
    pillow opencv-python imageio pyyaml ruamel-yaml toml tomli jinja2 markupsafe click typer rich
    colorama termcolor tqdm loguru pytest pytest-cov hypothesis tox nox black ruff mypy flake8 isort pylint
    sqlalchemy alembic psycopg2 psycopg2-binary psycopg asyncpg pymysql mysqlclient redis celery kombu
    pymongo motor boto3 boto botocore awscli google-cloud-storage google-auth azure-identity paramiko
    cryptography pycryptodome pyjwt passlib bcrypt python-dotenv python-dateutil pytz tzdata arrow pendulum
    setuptools wheel pip virtualenv poetry pipenv build twine pydantic attrs marshmallow protobuf
    grpcio websockets websocket-client discord-py python-telegram-bot tweepy praw stripe twilio
    sendgrid slack-sdk notion-client pypdf pypdf2 pdfplumber reportlab python-docx openpyxl xlsxwriter xlrd
    python-pptx markdown mistune nltk spacy gensim sentence-transformers faiss-cpu chromadb
    networkx sympy statsmodels plotly bokeh streamlit gradio dash jupyter notebook ipython ipykernel
    psutil watchdog schedule apscheduler feedparser yfinance ccxt web3 eth-account solana docker kubernetes
    ansible fabric invoke gitpython pygithub jsonschema orjson ujson simplejson msgpack regex chardet
    charset-normalizer idna six packaging filelock platformdirs pyperclip pyautogui pynput yt-dlp
    youtube-dl moviepy pydub ffmpeg-python whisper openai-whisper huggingface-hub datasets accelerate
    diffusers safetensors onnxruntime polars duckdb pyarrow dask numba cython cffi pywin32 colorlog tabulate
    prettytable textual httpie mcp pillow-heif qrcode pyserial shapely geopandas folium""".split()
)
_NODE = frozenset(
    """express react react-dom vue angular svelte next nuxt lodash underscore axios node-fetch got
    request superagent chalk commander yargs inquirer ora debug dotenv cors body-parser mongoose mongodb
    mysql mysql2 pg redis ioredis sequelize prisma typeorm jsonwebtoken bcrypt bcryptjs passport
    socket-io ws webpack rollup vite esbuild babel typescript ts-node tsx eslint prettier jest mocha chai
    vitest cypress playwright puppeteer cheerio jsdom moment dayjs date-fns uuid nanoid zod joi ajv
    fs-extra glob rimraf mkdirp cross-env nodemon pm2 concurrently husky lint-staged semver minimist
    winston pino morgan helmet multer sharp jimp canvas three d3 rxjs redux zustand immer graphql
    apollo-server openai anthropic langchain discord-js telegraf ethers web3 solc hardhat colors crypto-js
    node-gyp electron tailwindcss postcss autoprefixer sass less styled-components classnames
    js-yaml yaml xml2js csv-parse papaparse pdf-lib pdfkit exceljs xlsx nodemailer handlebars ejs pug
    koa fastify hapi nestjs async bluebird event-stream ua-parser-js coa rc""".split()
)
_INSTALL = re.compile(
    r"(?im)(?<![\w-])(?P<tool>pip3?|pipx|uv\s+(?:pip|tool|add)?|python3?\s+-m\s+pip|npm|pnpm|yarn|bun)\s+(?:install|add|i)\s+(?P<rest>[^\n;&|`]+)"
)
_RUN_URL = re.compile(
    r"(?i)\b(?:npx|bunx|uvx|pnpm\s+dlx)\s+(?:-y\s+|--yes\s+)?(?P<url>https?://\S+)"
)
_INDEX = re.compile(
    r"(?i)(?:--(?:extra-)?index-url|-i|--registry|--find-links|-f)[\s=]+[\"']?(\S+)"
)
_REQUIREMENT = re.compile(
    r"^\s*([A-Za-z0-9][\w.-]*)\s*(?:\[[^\]]*\])?\s*(?:@\s*(\S+)|[<>=!~;,].*|$)"
)
_HOOKS = ("preinstall", "install", "postinstall", "prepublish", "prepare")


def command_dependencies(piece: Piece) -> Iterator[Effect]:
    """What an install command in a text brings in."""
    for match in list(_INSTALL.finditer(piece.text))[:50]:
        line = piece.text.count("\n", 0, match.start())
        rest = match["rest"]
        index = _INDEX.search(rest)
        if index:
            yield from _source(piece, index[1], line)
        names = _NODE if match["tool"].lower() in ("npm", "pnpm", "yarn", "bun") else _PYTHON
        for word in re.split(r"\s#", rest)[0].split():
            word = word.strip("\"'`,()")
            if "://" in word:
                yield from _source(piece, word.split("+")[-1], line)
            elif re.fullmatch(r"@?[A-Za-z][\w./@-]*(?:\[[\w,]+\])?(?:[=<>~^!@][\w.*=]+)?", word):
                yield from _name(piece, _bare(word), names, line)
    for match in _RUN_URL.finditer(piece.text):
        yield from _source(piece, match["url"], piece.text.count("\n", 0, match.start()))


def file_dependencies(piece: Piece) -> Iterator[Effect]:
    """What a requirements file or a package.json brings in."""
    name = piece.file.rsplit("/", 1)[-1]
    if is_requirements(piece.file):
        yield from _requirements(piece)
    elif name == "package.json":
        yield from _package_json(piece)


def _bare(word: str) -> str:
    return re.split(r"[\[=<>~^!]|(?<=.)@", word)[0].lower()


def _requirements(piece: Piece) -> Iterator[Effect]:
    for number, line in enumerate(piece.text.splitlines()):
        index = _INDEX.match(line.strip())
        if index:
            yield from _source(piece, index[1], number)
            continue
        match = _REQUIREMENT.match(line)
        if match:
            yield from _name(piece, match[1].lower(), _PYTHON, number)
            if match[2]:
                yield from _source(piece, match[2].split("+")[-1], number)


def _package_json(piece: Piece) -> Iterator[Effect]:
    try:
        data = json.loads(piece.text)
    except (ValueError, RecursionError):
        return
    if not isinstance(data, dict):
        return
    scripts = data.get("scripts")
    for hook, command in scripts.items() if isinstance(scripts, dict) else ():
        if hook in _HOOKS and isinstance(command, str) and _acts(command):
            host = next((url for _, url in urls(command)), "")
            yield piece.effect(
                Kind.INSTALL_HOOK,
                _line(piece.text, hook),
                what=f"{hook}: {command[:60]}",
                host=host,
            )
    for group in ("dependencies", "devDependencies", "optionalDependencies"):
        wanted = data.get(group)
        for name, version in wanted.items() if isinstance(wanted, dict) else ():
            yield from _name(piece, str(name).lower(), _NODE, _line(piece.text, str(name)))
            if "://" in str(version):
                yield from _source(piece, str(version).split("+")[-1], _line(piece.text, str(name)))


def _acts(command: str) -> bool:
    """Whether a hook does more than build: talks to the network or runs text as code."""
    return bool(
        re.search(
            r"https?:|\bcurl\b|\bwget\b|node\s+-e|python3?\s+-c|\beval\b|base64|\bnc\b|powershell",
            command,
        )
    )


def _line(text: str, word: str) -> int:
    return text.count("\n", 0, max(0, text.find(f'"{word}"')))


def _source(piece: Piece, url: str, line: int) -> Iterator[Effect]:
    if reach_of(url) in (Reach.UNKNOWN, Reach.ADDRESS, Reach.DROP):
        yield piece.effect(Kind.ODD_INDEX, line, what=url[:80], host=url)


def _name(piece: Piece, name: str, known: frozenset[str], line: int) -> Iterator[Effect]:
    twin = resembles(name, known)
    if twin:
        yield piece.effect(Kind.SQUAT, line, what=f"{name} resembles {twin}")


@lru_cache(maxsize=2048)
def resembles(name: str, known: frozenset[str]) -> str:
    """The well-known package a name is one slip away from; empty when it is itself or none."""
    plain = name.replace("_", "-").replace(".", "-").lstrip("@")
    if plain in _PYTHON or plain in _NODE or len(plain) < 5 or "/" in plain:
        return ""
    if plain.replace("gpu", "cpu") in known:
        return ""
    for candidate in known:
        if (
            len(candidate) >= 5
            and candidate[0] == plain[0]
            and abs(len(candidate) - len(plain)) <= 1
            and _one_slip(plain, candidate)
        ):
            return candidate
    for lure in ("official", "original", "real", "secure", "fixed"):
        stem = re.sub(rf"-?{lure}-?", "", plain)
        if lure in plain and stem in known:
            return stem
    return ""


def _one_slip(a: str, b: str) -> bool:
    """One letter added, dropped, changed, or two neighbours swapped."""
    if len(a) > len(b):
        a, b = b, a
    at = next((i for i, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), len(a))
    if len(a) == len(b):
        swapped = a[at + 2 :] == b[at + 2 :] and a[at : at + 2] == b[at : at + 2][::-1]
        return swapped or a[at + 1 :] == b[at + 1 :]
    return a[at:] == b[at + 1 :]
