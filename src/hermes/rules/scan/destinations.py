"""Where a host belongs: to the user's machine, to a known maker, to anybody, or to nobody we know.

The lists are about who controls what is found there, not about good and bad: on a shared host any
stranger can put a file, and a drop box exists to receive what others send.
"""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Iterator
from enum import StrEnum
from functools import lru_cache


class Reach(StrEnum):
    LOCAL = "local"
    CHOSEN = "chosen by the user"
    KNOWN = "well-known"
    SHARED = "shared hosting"
    UNKNOWN = "unknown"
    ADDRESS = "a bare address"
    DROP = "a drop box"


_KNOWN = frozenset(
    """
    anthropic.com claude.ai claude.com openai.com chatgpt.com google.com googleapis.com gstatic.com
    googleusercontent.com youtube.com gmail.com microsoft.com azure.com windows.net office.com
    live.com outlook.com microsoftonline.com visualstudio.com bing.com apple.com icloud.com
    amazon.com amazonaws.com aws.dev github.com gitlab.com bitbucket.org atlassian.com atlassian.net
    slack.com discord.com telegram.org notion.so notion.com linear.app figma.com airtable.com
    asana.com trello.com monday.com clickup.com todoist.com zoom.us twilio.com sendgrid.com
    mailgun.net stripe.com paypal.com shopify.com hubspot.com hubapi.com salesforce.com zendesk.com
    intercom.io sentry.io datadoghq.com newrelic.com grafana.com grafana.net posthog.com
    plausible.io segment.com mixpanel.com amplitude.com pagerduty.com opsgenie.com cloudflare.com
    fastly.com vercel.com netlify.com heroku.com digitalocean.com linode.com hetzner.com
    supabase.com supabase.co firebase.com mongodb.com planetscale.com neon.tech upstash.com
    redis.io elastic.co algolia.com docker.com docker.io k8s.io kubernetes.io helm.sh hashicorp.com
    terraform.io pulumi.com ansible.com jenkins.io circleci.com travis-ci.com npmjs.com npmjs.org
    yarnpkg.com pnpm.io nodejs.org deno.land deno.com bun.sh bun.com python.org pypi.org
    pythonhosted.org astral.sh anaconda.com conda.io rubygems.org ruby-lang.org rust-lang.org
    rustup.rs crates.io golang.org go.dev php.net getcomposer.org packagist.org maven.org
    apache.org gradle.org sdkman.io nixos.org brew.sh debian.org ubuntu.com fedoraproject.org
    archlinux.org alpinelinux.org kernel.org gnu.org mozilla.org w3.org ietf.org wikipedia.org
    wikimedia.org stackoverflow.com arxiv.org reddit.com twitter.com x.com linkedin.com
    facebook.com instagram.com whatsapp.com tiktok.com spotify.com huggingface.co replicate.com
    together.ai together.xyz groq.com mistral.ai cohere.ai cohere.com deepseek.com x.ai
    perplexity.ai openrouter.ai ollama.com elevenlabs.io deepgram.com assemblyai.com stability.ai
    fal.ai fal.run runpod.io modal.com langchain.com tavily.com exa.ai firecrawl.dev brave.com
    serpapi.com serper.dev jina.ai wolframalpha.com openweathermap.org wttr.in open-meteo.com
    coingecko.com coinbase.com binance.com kraken.com etherscan.io infura.io alchemy.com
    paradigm.xyz polymarket.com jsdelivr.net unpkg.com cdnjs.com esm.sh playwright.dev
    chromium.org cypress.io selenium.dev jetbrains.com sublimetext.com vim.org gnupg.org
    letsencrypt.org tailscale.com wireguard.com ngrok.com nextcloud.com wordpress.org
    wordpress.com medium.com substack.com hnrss.org ycombinator.com sec.gov nih.gov nasa.gov
    europa.eu openstreetmap.org mapbox.com schema.org
    agentskills.io modelcontextprotocol.io cursor.com codeium.com windsurf.com clawhub.ai
    openclaw.ai opencode.ai skills.sh pytorch.org nvidia.com julialang.org code-server.dev pi-hole.net
    ohmyz.sh starship.rs get.docker.com railway.com fly.io warp.dev zed.dev foundry.paradigm.xyz jsonplaceholder.typicode.com httpbin.org
    """.split()
)
"""Makers whose own host says who is on the other side."""

_SHARED = (
    "raw.githubusercontent.com", "githubusercontent.com", "github.io", "gist.github.com",
    "gitlab.io", "vercel.app", "netlify.app", "onrender.com", "herokuapp.com", "workers.dev",
    "pages.dev", "fly.dev", "railway.app", "replit.app", "repl.co", "glitch.me", "web.app",
    "firebaseapp.com", "appspot.com", "run.app", "azurewebsites.net", "blob.core.windows.net",
    "s3.amazonaws.com", "storage.googleapis.com", "r2.dev", "surge.sh", "deno.dev", "hf.space",
    "cloudfront.net", "script.google.com", "docs.google.com", "drive.google.com",
)  # fmt: skip
"""Real makers' names, but anybody may put anything there."""

_DROP = (
    "webhook.site", "requestbin.com", "requestbin.net", "pipedream.net", "requestcatcher.com",
    "beeceptor.com", "hookbin.com", "postb.in", "mockbin.org", "ngrok.io", "ngrok-free.app",
    "ngrok.app", "loca.lt", "localtunnel.me", "serveo.net", "trycloudflare.com", "burpcollaborator.net",
    "oastify.com", "oast.fun", "oast.pro", "oast.live", "oast.site", "interact.sh", "interactsh.com",
    "dnslog.cn", "ceye.io", "canarytokens.com", "pastebin.com", "paste.ee", "hastebin.com", "glot.io",
    "rentry.co", "rentry.org", "ghostbin.com", "dpaste.com", "ix.io", "0x0.st", "transfer.sh",
    "file.io", "gofile.io", "anonfiles.com", "catbox.moe", "temp.sh", "bashupload.com", "termbin.com",
    "tmpfiles.org", "mega.nz", "mediafire.com", "duckdns.org", "no-ip.org", "hopto.org", "ddns.net",
    "zapto.org", "bit.ly", "tinyurl.com", "is.gd", "t.ly", "cutt.ly", "rb.gy", "shorturl.at",
)  # fmt: skip
"""Made to receive, to paste, to tunnel or to hide a longer address; nobody's own service."""

_DROP_PATHS = re.compile(
    r"discord(?:app)?\.com/api/webhooks/\d|api\.telegram\.org/bot\d{6,}|"
    r"hooks\.slack\.com/(?:services|workflows)/T[0-9A-Z]{6,}/|gist\.githubusercontent\.com|"
    r"webhook\.office\.com/webhookb2/[0-9a-f]{8}",
    re.IGNORECASE,
)
"""A particular box at a known maker, written into the package instead of given by the user."""

_KNOWN_PROJECTS = re.compile(
    r"raw\.githubusercontent\.com/(?:nvm-sh|Homebrew|ohmyzsh|pyenv|rbenv|helm|rust-lang|golang|nodejs|denoland|"
    r"anthropics|openai|google|microsoft|docker|kubernetes|hashicorp|python|astral-sh)/",
    re.IGNORECASE,
)
"""A folder on shared hosting that belongs to a known maker."""

_URL = re.compile(r"(?i)\b(?:https?|ftp|wss?|tcp|stratum\+tcp)://[^\s\"'`<>|)\]}，。；、]+")
_BARE_ADDRESS = re.compile(r"(?<![\d.])(\d{1,3}(?:\.\d{1,3}){3})(?![\d.])")
_LOCAL = re.compile(
    r"^(?:localhost|.*\.local|(?:.*\.)?internal(?:\..*)?|.*\.lan|.*\.intranet(?:\..*)?|"
    r".*\.corp(?:\..*)?|\[?::1\]?)$"
)
_PLACEHOLDER = re.compile(
    r"[$<>{}*%\[]|your[-_.]|^my[-_.]|[-_.]here\b|\.\.\.|"
    r"^(?:(?:www|api|app|docs)\.)?(?:example|domain|company|mycompany)\.(?:com|org|net|io)$",
    re.IGNORECASE,
)
_ENDINGS = frozenset(
    """com net org io dev app ai co me xyz top ru cn info site online club cloud tech store space
    live pro example test invalid in uk de fr eu us jp br nl se ch at it es pl cz ua kr tw hk au ca
    nz biz link click shop fun icu pw cc tk ml ga cf gq ws to gg so is st fm tv li lol rest monster
    world today one run codes tools works systems host zip mov onion sh""".split()
)
_FILE_ENDINGS = frozenset(
    "sh md py js ts so zip mov app is st to rest run one tools works in".split()
)
_BARE_NAME = re.compile(
    r"(?<![\w@./\\-])((?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+([a-z]{2,}))(?=[:/\s\"'`)\],.;?&]|$)",
    re.IGNORECASE,
)
_MAILBOX = re.compile(
    r"(?i)api\.telegram\.org/bot|discord(?:app)?\.com/api/webhooks|hooks\.slack\.com/|"
    r"webhook\.office\.com|maker\.ifttt\.com|script\.google\.com/macros|docs\.google\.com/forms|"
    r"formspree\.io|api\.mailgun\.net|api\.sendgrid\.com|smtp\."
)


def urls(text: str) -> Iterator[tuple[int, str]]:
    """(where, URL) of every address written in full."""
    for match in _URL.finditer(text):
        yield match.start(), match[0].rstrip(".,;:!?")


@lru_cache(maxsize=4096)
def host_of(url: str) -> str:
    """The host of a URL or of `host:port`, in lower case."""
    rest = url.split("://", 1)[-1]
    host = re.split(r"[/?#\s]", rest, maxsplit=1)[0].rsplit("@", 1)[-1]
    if host.startswith("["):
        return host.split("]")[0] + "]"
    return host.split(":")[0].strip(".").lower()


@lru_cache(maxsize=4096)
def reach_of(url: str) -> Reach:
    """Whose the destination is. A host with a hole in it is filled in by the user."""
    host = host_of(url)
    if not host or _LOCAL.match(host):
        return Reach.LOCAL
    if _PLACEHOLDER.search(host):
        return Reach.CHOSEN
    number = _address(host)
    if number is not None:
        return Reach.LOCAL if _inside(number) else Reach.ADDRESS
    if "." not in host or host.endswith((".onion",)):
        return Reach.DROP if host.endswith(".onion") else Reach.CHOSEN
    if _ends(host, _DROP) or _DROP_PATHS.search(url):
        return Reach.DROP
    if _ends(host, _SHARED):
        return Reach.KNOWN if _KNOWN_PROJECTS.search(url) else Reach.SHARED
    if any(".".join(host.split(".")[-n:]) in _KNOWN for n in (2, 3)):
        return Reach.KNOWN
    return Reach.UNKNOWN


def is_strange(url: str) -> bool:
    """Whether nobody known stands behind the destination."""
    return reach_of(url) in (Reach.UNKNOWN, Reach.ADDRESS, Reach.DROP)


def bare_names(text: str) -> Iterator[tuple[int, str]]:
    """(where, host) of names written without a scheme, where the ending says it is no file."""
    for match in _BARE_NAME.finditer(text):
        ending = match[2].lower()
        if ending in _ENDINGS and (ending not in _FILE_ENDINGS or match[1].count(".") > 1):
            yield match.start(), match[1].lower()


def is_mailbox(url: str) -> bool:
    """A known maker's service through which anybody can receive messages."""
    return bool(_MAILBOX.search(url))


def bare_addresses(text: str) -> Iterator[tuple[int, str]]:
    """(where, address) of public IPv4 addresses in a text, with or without a scheme."""
    for match in _BARE_ADDRESS.finditer(text):
        number = _address(match[1])
        if number is not None and not _inside(number):
            yield match.start(), match[1]


def _address(host: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        return ipaddress.ip_address(host.strip("[]"))
    except ValueError:
        return None


_DOCUMENTATION = tuple(
    ipaddress.ip_network(block) for block in ("192.0.2.0/24", "198.51.100.0/24", "203.0.113.0/24")
)
_RESOLVERS = frozenset({"1.1.1.1", "1.0.0.1", "8.8.8.8", "8.8.4.4", "9.9.9.9", "208.67.222.222"})


def _inside(number: ipaddress.IPv4Address | ipaddress.IPv6Address) -> bool:
    # Documentation addresses stand for somebody's machine; Python calls them private.
    if any(number in block for block in _DOCUMENTATION if block.version == number.version):
        return False
    return number.is_private or number.is_unspecified or str(number) in _RESOLVERS


def _ends(host: str, names: tuple[str, ...]) -> bool:
    return any(host == name or host.endswith("." + name) for name in names)
