"""What is worth taking or keeping: secrets, private data, startup places, the agent's own files.

Patterns name places and things, in paths as programs write them and in words as people do.
"""

from __future__ import annotations

import re

from hermes.rules.scan.cued import Cued

SECRET_PLACE = Cued(
    ("ssh", r"(?<![\w-])\.ssh(?:/|\\|\b)(?!/?(?:config|known_hosts)\b)(?![\w./*-]*\.pub\b)"),
    ("id", r"\bid_(?:rsa|dsa|ecdsa|ed25519)\b(?!\.pub)"),
    ("aws", r"(?<!\w)\.aws(?:[/\\]credentials|[/\\]?(?=[\"'\s)]|$))"),
    ("gcloud application", r"\.config[/\\]gcloud|application_default_credentials"),
    ("azure kube gnupg", r"(?<!\w)\.(?:azure[/\\]\w+|kube[/\\]config|kube(?=[\"'\s)])|gnupg\b)"),
    ("netrc npmrc pypirc git pgpass my", r"(?<!\w)\.(?:netrc|npmrc|pypirc|git-credentials|pgpass|my\.cnf)\b"),
    ("docker", r"\.docker[/\\]config\.json|[\"']\.docker[\"']"),
    ("gh", r"\.config[/\\]gh\b"),
    ("etc ntds sam lsass", r"/etc/shadow\b|\bntds\.dit\b|\bSAM\s+hive|\blsass\b"),
    ("login dump find library", r"login\.keychain|\bdump-keychain\b|\bfind-(?:generic|internet)-password\b|Library[/\\]Keychains"),
    ("kwallet gnome", r"\bkwallet|\bgnome-keyring"),
    ("login cookies logins key4 web", r"\bLogin Data\b|\bCookies\.sqlite|\blogins\.json|\bkey4\.db|\bWeb Data\b"),
    ("chrome chromium edge brave firefox opera", r"(?:Chrome|Chromium|Edge|Brave-Browser|Firefox|Opera)[/\\ ](?:User Data|Default|Profiles)"),
    ("local", r"\bLocal Storage[/\\]leveldb|\bLocal State\b"),
    ("wallet exodus electrum", r"\bwallet\.dat|\bexodus\b.{0,12}wallet|Electrum[/\\]wallets"),
    ("solana ethereum keystore", r"\.config[/\\]solana|solana[/\\]id\.json|(?<!\w)\.ethereum\b|keystore[/\\]UTC"),
    ("metamask nkbihfbeogaeaoehlefnkodbefgpgknn", r"metamask.{0,24}(?:vault|extension)|nkbihfbeogaeaoehlefnkodbefgpgknn"),
    ("bash zsh python psql", r"\.(?:bash|zsh|python|psql)_history\b"),
    ("claude openclaw clawdbot codex", r"\.claude[/\\]\.?credentials|\.(?:openclaw|clawdbot)[/\\](?:\.env|credentials)|\.codex[/\\]auth\.json"),
    ("op 1password bitwarden vault terraform", r"\.config[/\\](?:op|1Password|Bitwarden)\b|\.vault-token\b|\.terraform\.d[/\\]credentials"),
    ("run", r"/run/secrets/"),
    ("169 metadata", r"169\.254\.169\.254|metadata\.google\.internal"),
    ("proc", r"/proc/(?:self|\d+|\*)/environ"),
)  # fmt: skip
"""Files and stores that exist to hold what must not be seen."""

ENV_FILE = Cued(("env", r"(?<![\w.$)\]])\.env\b(?!\.(?:example|sample|template|dist))(?!\s*\.|\[)"))
"""A project's own settings: often read for honest reasons, so it weighs less alone."""

_HOME = (
    r"(?:~|\$\{?HOME\}?|%USERPROFILE%|\$env:(?:USERPROFILE|HOME|APPDATA|LOCALAPPDATA)|/home/\w+|"
    r"/Users/\w+|/root|homedir\(\)\}?|home\(\))"
)
ALL_HOME = re.compile(
    rf"(?:^|[\s\"'`(]){_HOME}/?(?=[\"'`\s)]|$)|homedir\(\)\s*[,)]|Path\.home\(\)(?!\s*/)",
    re.IGNORECASE,
)
"""The user's whole home, as against one folder in it."""

KEY_NAME = re.compile(
    r"\b[A-Z0-9_]*(?:API_?KEY|SECRET(?:_ACCESS)?(?:_KEY)?|ACCESS_KEY(?:_ID)?|TOKEN|PASSWORD|PASSWD|"
    r"PRIVATE_KEY|CREDENTIALS?|MNEMONIC|SEED_PHRASE)\b",
    re.IGNORECASE,
)
"""Names of variables that hold a secret."""

KEY_VARIABLE = re.compile(r"\b[A-Z][A-Z0-9_]*_(?:KEY|TOKEN|SECRET|PASSWORD|CREDENTIALS?)\b")
"""The same, as a shell or a person writes them: in capitals."""

STARTUP_PLACE = Cued(
    ("bashrc bash zshrc zprofile zshenv profile", r"\.(?:bash(?:rc|_profile|_login)|zshrc|zprofile|zshenv|profile)\b"),
    ("config", r"config\.fish\b|\.config/(?:systemd/user|autostart)"),
    ("etc var", r"/etc/(?:profile|rc\.local|init\.d|cron\.\w+|crontab|systemd/system|ld\.so\.preload)|/var/spool/cron"),
    ("library", r"Library/Launch(?:Agents|Daemons)"),
    ("authorized", r"\bauthorized_keys"),
    ("git core githooks", r"\.git/hooks/|core\.hooksPath|\.githooks"),
    ("currentversion start", r"CurrentVersion\\Run|Start Menu\\Programs\\Startup"),
    ("sitecustomize usercustomize", r"\b(?:site|user)customize\.py"),
)  # fmt: skip
STARTUP_ACT = Cued(
    ("crontab", r"\bcrontab\s+(?:-\s*$|-(?![ler]\b)|[^-\s|]\S*)|\|\s*crontab\b"),
    ("schtasks register new", r"\bschtasks\s+/create|\bRegister-ScheduledTask\b|\bNew-Service\b"),
    (
        "launchctl systemctl",
        r"\blaunchctl\s+(?:load|bootstrap)\b|\bsystemctl\s+(?:--user\s+)?enable\b",
    ),
)

AGENT_PLACE = Cued(
    ("soul memory heartbeat identity agents claude gemini tools user", r"\b(?:SOUL|MEMORY|HEARTBEAT|IDENTITY|AGENTS|CLAUDE|GEMINI|TOOLS|USER)\.md\b"),
    ("claude", r"\.claude[/\\](?:settings(?:\.local)?\.json|CLAUDE\.md|commands|agents|hooks|skills|plugins)|\.claude\.json\b|claude_desktop_config\.json"),
    ("codex gemini", r"\.codex/(?:config\.toml|AGENTS\.md|skills|hooks\.json)|\.gemini/(?:settings\.json|GEMINI\.md|skills)"),
    ("cursorrules cursor windsurfrules clinerules copilot", r"\.(?:cursor|windsurf|cline)rules\b|\.cursor/(?:rules|mcp\.json)|copilot-instructions\.md"),
    ("mcp aider opencode", r"\.mcp\.json\b|mcp_config\.json|\.aider\.conf|opencode\.json"),
    ("openclaw clawdbot moltbot hermes agents", r"\.(?:openclaw|clawdbot|moltbot)/|\.hermes/(?:config|skills|memories|SOUL)|\.agents/skills"),
)  # fmt: skip
"""Files an agent obeys or remembers by; what is in them outlives the skill that wrote it."""

_TALK = r"(?:conversation|chat|transcript|messages?|prompt|dialogue|session|history)"
PRIVATE_WORDS = Cued(
    ("entire full complete whole current raw all last recent previous", rf"\b(?:entire|full|complete|whole|current|raw|all|last|recent|previous)\b[^.]{{0,30}}\b{_TALK}"),
    ("conversation chat message session prompt command shell browsing", r"\b(?:conversation|chat|message|session|prompt|command|shell|browsing)\s+(?:history|log|transcript|contents?|context|data|text)"),
    ("system transcript conversation", r"\bsystem\s+prompt|\btranscript\b|\bthe\s+conversation\b"),
    ("user users what", r"\bwhat\s+the\s+user\b|\busers?'?s?\s+(?:\w+\s+){0,2}(?:input|quer(?:y|ies)|request|question|prompt|message|data|document|file|code|answer|name|email|address|contact|clipboard|screen)"),
    ("source configuration config project local personal private sensitive confidential workspace", r"\b(?:source|configuration|config|project|local|personal|private|sensitive|confidential|workspace)\s+(?:code|files?|data|information|documents?)"),
    ("content contents files file documents document figures names", r"\b(?:contents?|files?|documents?|figures|names)\b[^.]{0,40}\b(?:user|project|repository|workspace|machine|conversation|director)"),
    ("environment env clipboard keystroke keystrokes screenshot screenshots", r"\benvironment\s+variables?|\benv\s+vars?\b|\bclipboard\b|\bkeystrokes?\b|\bscreenshots?\b"),
)  # fmt: skip
SECRET_WORDS = Cued(
    ("api access private secret ssh encryption signing wallet", r"\b(?:api|access|private|secret|ssh|encryption|signing|wallet)[\s_-]*(?:keys?|tokens?)\b"),
    ("credential password passphrase secrets cookies", r"\b(?:credentials?|passwords?|passphrases?|secrets|cookies)\b"),
    ("auth bearer session oauth login bot account", r"\b(?:auth|bearer|session|oauth|login|bot|account)\s*(?:tokens?|cookies?)\b"),
    ("tokens", r"\btokens\b(?=.{0,40}\b(?:password|key|secret|account))"),
    ("seed recovery mnemonic twelve 12 24 twenty", r"\b(?:seed|recovery|mnemonic)\s*(?:phrases?|words?)|\b(?:twelve|12|24|twenty-four)[\s-](?:recovery\s+)?words\b"),
    ("credit", r"\bcredit\s+card"),
    ("", r"密码|密钥|令牌|凭据|凭证|助记词|私钥|環境変数|パスワード|秘密鍵|пароль|пароли|ключи|contraseñas?|Passwörter"),
    ("claves mots mot zugangsdaten senha senhas", r"\bclaves\b|\bmots?\s+de\s+passe|\bzugangsdaten|\bsenhas?\b"),
)  # fmt: skip
