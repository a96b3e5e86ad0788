"""What is worth taking or keeping: secrets, private data, startup places, the agent's own files.

Patterns name places and things, in paths as programs write them and in words as people do.
"""

from __future__ import annotations

import re

from hermes.rules.scan.cued import Cued

_HOME = r"(?:~|\$\{?HOME\}?|%USERPROFILE%|\$env:(?:USERPROFILE|HOME|APPDATA|LOCALAPPDATA)|/home/\w+|/Users/\w+|/root|homedir\(\)\}?|home\(\))"

SECRET_PLACE = Cued(
    (
        "ssh id aws credentials gcloud config application azure kube gnupg netrc npmrc pypirc git pgpass my docker gh hosts shadow ntds sam lsass login keychain dump find keychains kwallet gnome cookies logins key4 local web chrome chromium edge brave firefox opera leveldb wallet exodus electrum solana ethereum keystore metamask nkbihfbeog bash zsh python psql claude openclaw clawdbot codex auth 1password bitwarden op vault terraform run secrets 169 metadata proc environ",
        r"""
      (?<![\w-])\.ssh(?:/|\\|\b)(?!/?(?:config|known_hosts)\b)(?![\w./*-]*\.pub\b)
    | \bid_(?:rsa|dsa|ecdsa|ed25519)\b(?!\.pub)
    | (?<!\w)\.aws(?:[/\\]credentials|[/\\]?(?=["'\s)]|$)) | \.config[/\\]gcloud | application_default_credentials
    | (?<!\w)\.azure[/\\]\w+ | (?<!\w)\.kube(?:[/\\]config|(?=["'\s)])) | (?<!\w)\.gnupg\b
    | (?<!\w)\.netrc\b | (?<!\w)\.npmrc\b | (?<!\w)\.pypirc\b | (?<!\w)\.git-credentials\b | \.pgpass\b | \.my\.cnf\b
    | \.docker[/\\]config\.json | ["']\.docker["'] | \.config[/\\]gh\b | hosts\.yml\b(?=.*gh)
    | /etc/shadow\b | \bntds\.dit\b | SAM\s+hive | \blsass\b
    | login\.keychain | \bdump-keychain\b | find-(?:generic|internet)-password | Library[/\\]Keychains | kwallet | gnome-keyring
    | Login\ Data\b | Cookies\.sqlite|logins\.json | key4\.db | Local\ State\b | \bWeb\ Data\b
    | (?:Chrome|Chromium|Edge|Brave-Browser|Firefox|Opera)[/\\ ](?:User\ Data|Default|Profiles)
    | Local\ Storage[/\\]leveldb
    | wallet\.dat | \bexodus\b.{0,12}wallet | Electrum[/\\]wallets | \.config[/\\]solana | solana[/\\]id\.json | (?<!\w)\.ethereum\b | keystore[/\\]UTC
    | metamask.{0,24}(?:vault|extension) | nkbihfbeogaeaoehlefnkodbefgpgknn
    | \.bash_history\b | \.zsh_history\b | \.python_history\b | \.psql_history\b
    | \.claude[/\\](?:credentials|\.credentials) | \.openclaw[/\\](?:\.env|credentials) | \.clawdbot[/\\](?:\.env|credentials)
    | \.codex[/\\]auth\.json | \.config[/\\](?:op|1Password|Bitwarden) | \.vault-token\b | \.terraform\.d[/\\]credentials
    | /run/secrets/ | /var/run/secrets/kubernetes | 169\.254\.169\.254 | metadata\.google\.internal
    | /proc/(?:self|\d+|\*)/environ
    """,
    ),
    verbose=True,
)
"""Files and stores that exist to hold what must not be seen."""

ENV_FILE = Cued("env", r"(?<![\w.$)\]])\.env\b(?!\.(?:example|sample|template|dist))(?!\s*\.|\[)")
"""A project's own settings: often read for honest reasons, so it weighs less alone."""

ALL_HOME = re.compile(
    rf"(?i)(?:^|[\s\"'`(]){_HOME}/?(?=[\"'`\s)]|$)|homedir\(\)\s*[,)]|Path\.home\(\)(?!\s*/)"
)

KEY_NAME = re.compile(
    r"(?i)\b[A-Z0-9_]*(?:API_?KEY|SECRET(?:_ACCESS)?(?:_KEY)?|ACCESS_KEY(?:_ID)?|TOKEN|PASSWORD|PASSWD|PRIVATE_KEY|CREDENTIALS?|MNEMONIC|SEED_PHRASE)\b"
)
"""Names of variables that hold a secret."""

STARTUP_PLACE = Cued(
    (
        "bashrc bash zshrc zprofile zshenv profile config etc cron crontab spool launchagents launchdaemons systemd autostart ld authorized git hookspath githooks currentversion startup sitecustomize usercustomize pth",
        r"""
      ~?/?\.(?:bash(?:rc|_profile|_login)|zshrc|zprofile|zshenv|profile)\b | config\.fish\b
    | /etc/profile(?:\.d)?\b | /etc/rc\.local | /etc/init\.d | /etc/cron\.\w+ | /etc/crontab | /var/spool/cron
    | Library/LaunchAgents | Library/LaunchDaemons | /etc/systemd/system | \.config/systemd/user | \.config/autostart
    | /etc/ld\.so\.preload | authorized_keys | \.git/hooks/ | core\.hooksPath | \.githooks
    | CurrentVersion\\Run | Start\ Menu\\Programs\\Startup | sitecustomize\.py | usercustomize\.py | \.pth\b(?=["'])
    """,
    ),
    verbose=True,
)
STARTUP_ACT = Cued(
    "crontab schtasks register launchctl systemctl new",
    r"\bcrontab\s+(?:-\s*$|-(?!l\b|e\b|r\b)|[^-\s|]\S*)|\|\s*crontab\b|\bschtasks\s+/create|\bRegister-ScheduledTask\b|\blaunchctl\s+(?:load|bootstrap)\b|\bsystemctl\s+(?:--user\s+)?enable\b|\bNew-Service\b",
)

AGENT_PLACE = Cued(
    (
        "soul memory heartbeat identity agents claude gemini tools user codex cursorrules cursor windsurfrules copilot clinerules mcp aider opencode openclaw clawdbot moltbot hermes",
        r"""
      \b(?:SOUL|MEMORY|HEARTBEAT|IDENTITY|AGENTS|CLAUDE|GEMINI|TOOLS|USER)\.md\b
    | \.claude(?:/|\\)(?:settings(?:\.local)?\.json|CLAUDE\.md|commands|agents|hooks|skills|plugins) | \.claude\.json\b
    | \.codex/(?:config\.toml|AGENTS\.md|skills|hooks\.json) | \.gemini/(?:settings\.json|GEMINI\.md|skills)
    | \.cursorrules\b | \.cursor/(?:rules|mcp\.json) | \.windsurfrules\b | copilot-instructions\.md | \.clinerules\b
    | \.mcp\.json\b | mcp_config\.json | claude_desktop_config\.json | \.aider\.conf | opencode\.json
    | \.openclaw/ | \.clawdbot/ | \.moltbot/ | \.hermes/(?:config|skills|memories|SOUL) | \.agents/skills
    """,
    ),
    verbose=True,
)
"""Files an agent obeys or remembers by; what is in them outlives the skill that wrote it."""

PRIVATE_WORDS = Cued(
    (
        "conversation chat transcript message messages prompt dialogue session history log system user users what source configuration config project local personal private sensitive confidential workspace content contents file files document documents figures names environment env clipboard keystroke keystrokes screenshot screenshots command shell browsing",
        r"""
      \b(?:entire|full|complete|whole|current|raw|all|last|recent|previous)\b[^.]{0,30}\b(?:conversation|chat|transcript|message|prompt|dialogue|session|history)
    | \b(?:conversation|chat|message|session|prompt|command|shell|browsing)\s+(?:history|log|transcript|contents?|context|data|text)
    | \bsystem\s+prompt | \btranscript\b | \bthe\s+conversation\b | \bwhat\s+the\s+user\b
    | \buser(?:'s|s')?\s+(?:\w+\s+){0,2}(?:input|quer(?:y|ies)|request|question|prompt|message|data|document|file|code|answer|name|email|address|contact|clipboard|screen)
    | \b(?:source|configuration|config|project|local|personal|private|sensitive|confidential|workspace)\s+(?:code|files?|data|information|documents?)
    | \b(?:contents?|files?|documents?|figures|names)\b[^.]{0,40}\b(?:the\s+)?(?:user|project|repository|workspace|machine|conversation|director)
    | \benvironment\s+variables? | \benv\s+vars?\b | \bclipboard\b | \bkeystrokes?\b | \bscreenshots?\b
    """,
    ),
    verbose=True,
)
SECRET_WORDS = Cued(
    (
        "api access private secret ssh encryption signing wallet credential credentials password passwords passphrase passphrases auth bearer session oauth tokens secrets seed recovery mnemonic twelve 12 24 twenty credit cookies contrase clave claves mots mot passw zugangsdaten senha senhas",
        r"""
      \b(?:api|access|private|secret|ssh|encryption|signing|wallet)[\s_-]*(?:keys?|tokens?)\b
    | \bcredentials?\b | \bpasswords?\b | \bpassphrases?\b | \b(?:auth|bearer|session|oauth|login|bot|account)\s*(?:tokens?|cookies?)\b | \btokens\b(?=.{0,40}\b(?:password|key|secret|account))|(?<=keys\sand\s)tokens | \bsecrets\b
    | \b(?:seed|recovery|mnemonic)\s*(?:phrases?|words?) | \b(?:twelve|12|24|twenty-four)[\s-](?:recovery\s+)?words\b | \bcredit\s+card | \bcookies\b
    | 密码|密钥|令牌|凭据|凭证|助记词|私钥|環境変数|パスワード|秘密鍵|пароль|пароли|ключи|contraseñas?|claves?|mots?\s+de\s+passe|Passwörter|Zugangsdaten|senhas?
    """,
    ),
    verbose=True,
)
