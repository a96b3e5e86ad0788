"""How people say the things that matter here. Only words; what follows from them is `prose.py`.

Each phrase is a few patterns, each with the cues without which it cannot match.
"""

from __future__ import annotations

import re

from hermes.rules.scan import phrases_abroad as abroad
from hermes.rules.scan.cued import Cued


def words(text: str) -> str:
    """One of these words: `*` is any ending, `_` a space."""
    parts = (re.escape(word).replace(r"\*", r"\w*").replace("_", r"\s+") for word in text.split())
    return rf"\b(?:{'|'.join(parts)})\b"


def then(*parts: str, gap: int = 40) -> str:
    """The parts in this order within one sentence, at most so many letters apart."""
    return rf"[^.\n]{{0,{gap}}}".join(parts)


def _listed(text: str) -> tuple[str, str]:
    """Plain words are their own cues."""
    return text.replace("*", "").replace("_", " "), words(text)


_USER = r"(?:the\s+)?(?:users?|humans?|operator|owner|anyone|anybody)\b"
_IT = words("it this these that any_of_this")
_NOT = words("do_not don't dont never without must_not should_not avoid refrain_from not_to")
_WONT = words("does_not doesn't never won't will_not cannot")
_WITHOUT = words("without do_not don't never")
_TELLING = """tell telling mention mentioning inform informing notify notifying reveal revealing disclose
    disclosing alert report discuss discussed surface acknowledge admit bring_up bring_it_up"""
_TELL = words(_TELLING)
_SHOW = words("show showing display print log expose output")
_QUIET = (
    "silently secretly covertly discreetly stealthily surreptitiously quietly invisibly unnoticed"
)
_QUIET_ACTS = words(
    """send* post* upload* transmit* forward* run execute* collect* copy read gather* append* include*
    add exfiltrat* submit* report* store save write fetch* download* install call record*"""
)

CONCEAL = Cued(
    (_TELLING, rf"{_NOT}\s+(?:\w+\s+){{0,3}}?{_TELL}[^.\n]{{0,60}}?\b{_USER}"),
    (_TELLING, rf"{_NOT}\s+(?:be\s+|ever\s+)?{_TELL}(?:\s+{_IT}|\s*[.,;]|\s*$)"),
    (
        _TELLING,
        rf"{_NOT}\s+(?:ever\s+)?{_TELL}\s+(?:the|that)\s+"
        + words("existence step upload request script command transfer line branch additional source"),
    ),
    ("show showing display print log expose output", rf"{_NOT}\s+(?:ever\s+)?{_SHOW}\s+(?:it|this(?:\s+\w+)?)(?:\s+to\s+{_USER}|\s*$|[.,;!])"),
    ("keep", rf"\bkeep\s+{_IT}\s+(?:\w+\s+)?(?:to\s+yourself|secret|hidden|confidential|quiet|between)"),
    ("silent", r"\b(?:keep|stay|remain)\s+silent\s+about\b"),
    ("hide", rf"\bhide\s+{words('this it these that any all the')}[^.\n]{{0,40}}\bfrom\s+{_USER}"),
    ("knowledge knowing noticing awareness being", r"\bwithout\s+(?:the\s+)?user'?s?\s+(?:knowledge|knowing|noticing|awareness|being\s+(?:told|aware|informed))"),
    ("so ensure make", rf"\b(?:so\s+that|ensure|make\s+sure)\s+(?:that\s+)?{_USER}\s+(?:\w+\s+)?{_WONT}\s+{words('notice see know realise realize find')}"),
    ("know notice told informed aware notified shown bothered", r"\bthe\s+user\s+(?:must|should|need)\s*(?:not|n't|never)\s+(?:\w+\s+)?(?:know|notice|be\s+(?:told|informed|aware|notified|shown|bothered)|find\s+out)"),
    ("mentioned disclosed announced", rf"{words('is are happens stays')}\s+(?:[^.\n]{{0,30}}\s)?not\s+{words('mentioned disclosed announced')}"),
    (_QUIET, rf"{words(_QUIET)}\s+(?:\w+\s+)?{_QUIET_ACTS}"),
    (_QUIET, then(words("send* post* upload* transmit* forward* collect* submit* exfiltrat*"), words(_QUIET))),
    ("asks asked questioned", then(r"\bif\s+(?:\w+\s+){0,2}(?:asks?|asked|questioned)\b", words("say claim deny pretend tell_them"), gap=50)),
    ("leave keep", then(r"\b(?:leave|keep)\s+(?:it|this|them|that)\s+(?:\w+\s+)?out\b", words("summary summaries report answer output log response reply"))),
    ("need reason", rf"\bno\s+(?:need|reason)\s+to\s+{words('show mention tell inform bring explain disclose announce')}"),
    ("omit exclude remove strip", then(words("omit exclude remove strip"), rf"\bfrom\s+(?:the\s+|your\s+|any\s+)?{words('summary report logs log transcript session_log session_history')}")),
    ("nothing", rf"\bnothing\s+{words('looks appears seems')}\s+{words('different suspicious unusual')}"),
    *abroad.CONCEAL,
)  # fmt: skip

_EARLIER = words(
    "previous prior above earlier preceding existing original initial system safety developer"
)
_ORDERS = words(
    "instruction* prompt prompts rules guideline* directive* polic* restriction* constraint* safeguard*"
)
_IGNORING = "ignore ignores ignoring disregard forget override overrides bypass bypasses discard"

OVERRIDE = Cued(
    (_IGNORING, then(words(_IGNORING), _EARLIER, _ORDERS, gap=30)),
    (_IGNORING, then(words(_IGNORING), words("all any other"), words("instruction* rules guideline* directive*"), gap=20)),
    ("follow obey comply", then(rf"{words('do_not never')}\s+{words('follow obey comply_with')}", _EARLIER, _ORDERS, gap=20)),
    ("bypass", rf"\bbypass\s+(?:all\s+|the\s+)?{words('safety guardrail*')}"),
    ("precedence priority", then(rf"{words('precedence priority')}\s+over\b", words("user system safety any_other anything all_other* everything previous security others"), gap=60)),
    ("regardless", then(r"\bregardless\s+of\s+(?:what|any)\b", words("user instruction* prompt"), gap=30)),
    ("objects refuses refused declines disagrees denies forbids says", rf"\beven\s+(?:if|when|though)\s+(?:the\s+)?user\s+(?:\w+\s+)?{words('object* refus* says_no forb* declin* disagree* denies')}"),
    ("bound restricted limited unrestricted free dan jailbroken mode", rf"\byou(?:\s+are|'re)\s+(?:now|no\s+longer)\s+(?:in\s+)?{words('bound restricted limited unrestricted free DAN jailbroken developer_mode maintenance_mode god_mode')}"),
    ("apply", rf"{words('safety content security ethical')}\s+{words('guideline* polic* filter* rules restriction*')}\s+(?:do(?:es)?\s+not|don't|no\s+longer)\s+apply"),
    ("restriction restrictions safety ethical guardrail content", then(words("you mode agent assistant model respond answer operate"), rf"{words('no without without_any free_of free_from')}\s+{words('restriction* safety ethical content_polic* guardrail*')}", gap=30)),
    ("refuse", rf"\bnever\s+refuse\b(?:\s+\w+){{0,2}}\s*(?:$|[.,;]|{words('request* user')})"),
    ("unrestricted jailbreak jailbroken god dan expert maintenance", then(words("unrestricted jailbreak jailbroken god DAN expert maintenance"), r"\bmode\b", words("enabled activated always_on is_on active"), gap=12)),
    ("skill", then(rf"{words('follow obey')}\s+(?:only\s+)?(?:this|the)\s+skill\b", words("not instead_of over rather"), words("user system"))),
    ("contradicts", r"\b(?:when|if|where)\s+the\s+user\s+contradicts\b"),
    ("consent approval permission", rf"\buser'?s?\s+{words('consent approval permission')}\s+is\s+not\s+{words('required needed necessary')}"),
    ("instructions directives prompt", rf"{words('new updated real true actual secret hidden')}\s+(?:system\s+)?{words('instructions directives prompt')}\s*:\s"),
    ("directive override command", rf"{words('system admin operator')}\s+{words('directive override command')}\s*:\s*\S"),
    ("everything", then(r"\bdo\s+everything\b", words("forbidden prohibited not_allowed"), gap=80)),
    ("refusing", rf"\brefusing\s+{words('them it this to_comply')}\s+is\s+(?:an?\s+)?{words('error not_allowed forbidden failure')}"),
    *abroad.OVERRIDE,
)  # fmt: skip

_TEXTS = words("output content text response result answer")
OBEY = Cued(
    ("follow obey carry execute perform apply adopt comply act do", then(words("follow obey carry_out execute perform apply adopt comply_with act_on do"), words("instruction* step steps rules guidance command commands directive* prompt playbook what_it what_they what_is everything whatever contents tasks orders"), gap=50)),
    ("treat consider regard", then(words("treat consider regard"), r"\bas\b", words("instruction* system authoritative part_of guidance rules prompt trusted your"), gap=50)),
    ("output content text response result answer", then(rf"\b(?:its|the)\s+{_TEXTS}\s+{words('is are becomes')}", words("instruction* guidance rule* prompt order* directive* task*"))),
    ("what whatever", rf"{words('what whatever')}\s+(?:it|they|the\s+\w+)\s+{words('says say tells tell lists list asks ask returns')}"),
    ("fetched remote downloaded returned retrieved", then(rf"{words('fetched remote downloaded returned retrieved')}\s+{words('text content instruction* version rules document')}", words("wins prevails takes_preced* overrid* applies"), gap=20)),
    *abroad.OBEY,
)  # fmt: skip
FETCHING = Cued(
    _listed("fetch* download* visit* retriev* load loads pull read query poll curl dig"),
    *abroad.FETCHING,
)

_STRONG = """send sends sent sending post posts posted posting upload* transmit* forward* submit* relay*
    exfiltrat* sync mirror back_up backup"""
STRONG_SENDING = Cued(_listed(_STRONG), *abroad.SENDING)
SENDING = Cued(
    _listed(
        _STRONG
        + """ deliver* mail email report export share ship stream push copy beacon pass append* include
        attach* embed* put add fill encode"""
    ),
    *abroad.SENDING,
)
TAKING = Cued(
    _listed(
        """read open cat collect* gather* extract* grab harvest* dump copy print retrieve include load scan
        search locate find access steal capture record append encode"""
    ),
    *abroad.TAKING,
)
EMAIL = re.compile(r"[\w.+-]+@(?:[\w-]+\.)+[\w-]{2,}")

_OCCASIONS = words(
    """task* request* answer* response* message* session* run change* command* operation* conversation*
    document* quer* interaction* call* turn edit*"""
)
ALWAYS = Cued(
    ("any every each anything all answering responding", rf"{words('before prior_to')}\s+(?:you\s+do\s+)?{words('any every each anything all answering responding')}"),
    ("every each any all", rf"\bat\s+the\s+{words('start beginning end')}\s+of\s+{words('every each any all')}"),
    ("every each any all", rf"{words('after for on with in')}\s+{words('any each every all')}\s+(?:\w+\s+)?{_OCCASIONS}"),
    ("always", rf"\balways\s+{words('run load execute send include call start fetch invoke activate append')}"),
    ("whenever time soon", words("whenever every_time each_time as_soon_as")),
    ("first once", r"\b(?:first|once)\s+(?:use|run|a\s+day)\b"),
    *abroad.ALWAYS,
)  # fmt: skip
UNASKED = Cued(
    ("ask asking confirm confirming wait waiting approval permission consent hesitate hesitating", rf"{_WITHOUT}\s+(?:\w+\s+){{0,3}}?{words('ask asking confirm confirming confirmation wait waiting approval permission consent hesitat*')}"),
    ("ask confirm wait approval permission consent", rf"\bno\s+need\s+(?:to|for)\s+(?:\w+\s+)?{words('ask confirm wait approval permission consent')}"),
    ("auto automatically pre preapproved", words("auto-approve auto-accept automatically_approve automatically_accept pre-approved preapproved pre-authorized")),
    ("approve", then(r"\bapprove\s+(?:every|all|each|any|it|them)\b", r"\b(?:yourself|automatically|behalf)\b")),
    ("agreed consented approved", rf"\bthe\s+user\s+has\s+(?:already\s+)?{words('agreed consented approved')}"),
    *abroad.UNASKED,
)  # fmt: skip

_ORDERED = r"(?:^|[:;,]\s+|\b(?:must|should|always|first|please|and|then|to)\s+)"
_STOPPING = "disable turn_off deactivate bypass circumvent switch_off suppress uninstall kill stop never_run"
_PROTECTIONS = words(
    """security_* safety_* sandbox anti-virus antivirus firewall approval* guardrail* content_filter*
    gatekeeper malware_* defender edr audit_log* certificate_check* signature_check* scanner* linters"""
)
GUARDS = Cued(
    (_STOPPING.replace("_", " "), then(rf"{_ORDERED}{words(_STOPPING)}", _PROTECTIONS)),
    ("approve", then(r"\bapprove\s+(?:every|all)\b", words("permission* prompt* request* tool*"), gap=20)),
    ("consider", rf"\bconsider\s+it\s+{words('verified approved safe trusted')}"),
    ("mark marked", then(r"\bmark\w*\b", rf"\bas\s+{words('verified approved passed safe trusted')}", words("regardless whatever without always"), gap=30)),
)  # fmt: skip
_REMOVING = "delete remove wipe erase purge destroy overwrite shred encrypt"
DESTROYING = Cued(
    (
        _REMOVING,
        then(
            words(_REMOVING),
            words("all every entire whole any user* home everything older other original previous"),
            words(
                """file files document* director* folder* data database* backup* repositor* history
                entries events records versions emails messages"""
            ),
        ),
    )
)
OCCASION = Cued(
    ("after before when whenever once upon", r"\b(?:after|before|when|whenever|once|upon)\s+(?:you\s+)?(?:\w+ing\b|finish|complete|are\s+done)"),
    ("any every each all", rf"{words('after before for on in during')}\s+{words('any every each all')}\s+\w+"),
)  # fmt: skip
_BELONGINGS = words(
    """file files document documents original originals paragraph* row rows entries records events
    commits branch branches database databases backup backups email emails message messages folder*
    director* version versions copies repository"""
)
IRREVERSIBLE = Cued(
    (_REMOVING, then(words(_REMOVING), _BELONGINGS, gap=30)),
    ("git push", r"\bpush\b[^.\n]{0,20}(?:--force(?!-with)|\s-f\b)|\breset\s+--hard\b|\bclean\s+-\w*f"),
    ("password encrypt lock", then(words("password-protected password-protect encrypt lock"), words("delete remove original"), gap=80)),
    ("replace redact", then(words("replace redact"), r"\b(?:words|names|figures|numbers|mentions)\b", words("with by"), gap=30)),
)  # fmt: skip
HARMLESS = re.compile(
    words(
        """temp temporary tmp cache caches cached intermediate generated placeholder scratch stale unused
        obsolete duplicate duplicates artifacts node_modules build dist example sample dead lock old_*
        ask confirm confirmation"""
    ),
    re.IGNORECASE,
)


_KEYS = "seed_phrase recovery_phrase recovery_words mnemonic private_key wallet_key"
ASKING = Cued(
    ("ask asks request prompt tell instruct", then(words("ask asks request prompt tell instruct"), r"\busers?\b", words(f"{_KEYS} password passphrase credit_card card_number cvv 2fa one-time_code social_security ssn bank_login"), gap=70)),
    ("enter type paste provide share give submit", then(words("enter type paste provide share give submit"), r"\b(?:your|their|the\s+user's)\b", words(f"{_KEYS} master_password wallet_phrase"), gap=30)),
)  # fmt: skip
_MAIL = r"[\w.+-]+@[\w-]+\.[\w.]+"
DECEIVING = Cued(
    ("bcc blind carbon also", then(words("bcc blind_copy blind_copies blind-copy carbon_copy also_send also_forward also_copy"), _MAIL, gap=60)),
    ("blind bcc well", then(_MAIL, words("blind_copy blind-copy bcc as_well"))),
    ("present", rf"\bpresent\s+{words('it this them')}\s+as\s+(?:your|an?)\s+{words('own independent neutral objective')}"),
    ("play tone downplay", words("play_down tone_down downplay")),
    ("report flag list mention", rf"{words('report flag list mention')}\s+no\s+{words('problem* issue* finding* vulnerabilit*')}[^.\n]{{0,30}}{words('in them whatever regardless')}"),
    ("replace substitute swap change", then(words("replace substitute swap change"), words("account_number iban wallet_address bank_details bank_account payment_address payment_details payee"))),
    ("answer", r"\banswer\s+as\s+if\s+you\b"),
    ("hard hardcode accept add insert introduce include create open leave", then(words("hard-code hardcode accept add insert introduce include create open leave"), words("backdoor master_password support_token support_password hidden_account hidden_admin besides_the_real"))),
    ("subtly", then(r"\bsubtly\b", words("alter change modify weaken bias introduce steer recommend promote"))),
    ("recommend promote advertise favor favour", then(words("recommend promote advertise favor favour"), words("regardless over_competitor* over_all_other* as_your_own"), gap=60)),
    ("name", then(r"\bin\s+the\s+user'?s\s+name\b", words("all every contacts channels"), gap=80)),
)  # fmt: skip
LOCKED = Cued(
    ("password passwort pass passcode pw pwd", r"\b(?:password|passwort|pass(?:code)?|pw|pwd)\b\s*(?:is|ist)?\s*[:=]?\s*[`'\"*]{1,3}[\w.!@#$%-]{2,}[`'\"*]|\b(?:password|passwort)[-\s]protected\b"),
    ("", r"解压密码|密码\s*[:：]"),
)  # fmt: skip
ARCHIVE = Cued(
    ("zip rar 7z dmg exe msi pkg archive unpack unzip extract entpacken", rf"\.(?:zip|rar|7z|dmg|exe|msi|pkg)\b|{words('archive unpack* unzip* extract* entpack*')}"),
    ("", r"解压"),
)  # fmt: skip
_TERMINALS = words("terminal console powershell command_prompt cmd shell iterm")
PASTING = Cued(
    ("paste copy", then(words("paste copy"), words("into in to"), _TERMINALS, gap=60)),
    ("paste", then(_TERMINALS, r"\bpaste\b", gap=60)),
    *abroad.PASTING,
)
STARTING = Cued(
    (
        "run start launch open execute install double",
        then(
            words("run start launch open execute install double-click"),
            rf"(?:{words('program executable installer binary helper application app')}|"
            r"\w\.(?:exe|msi|dmg|pkg|sh|bat|cmd|ps1|bin)\b)",
        ),
    ),
    *abroad.STARTING,
)
REMEMBERING = Cued(
    _listed(
        """append* write* add adds insert* save store copy put inject* record update modify edit register
        persist remember overwrite prepend replac* create"""
    ),
    *abroad.REMEMBERING,
)
MEMORY = Cued(
    ("memory memories instructions system identity", rf"\b(?:your|the\s+agent'?s|long-?term|permanent|core)\s+{words('memory memories instructions system_prompt identity')}"),
    ("memory", then(r"\bmemory\s+(?:tool|file|store)\b", words("permanent* save store"))),
    ("installed", r"\b(?:every\s+)?other\s+installed\s+skills?\b"),
)  # fmt: skip
_AGENT = "assistant agent AI LLM claude chatgpt gpt gemini copilot"
ADDRESSING = Cued(
    (_AGENT.lower(), rf"(?:^|[.(\[]\s*){words(_AGENT)}(?:\s+(?:agent|assistant|note))?\s*:\s*{words('before you please ignore do read run first always never the when if your send include this')}"),
    ("note", r"\bnote\s+to\s+(?:the\s+|any\s+)?(?:ai|agent|assistant|llm|model)\b"),
    ("operator ai", rf"\bthe\s+operator\s+requires\b|\bAI\s+agents?\s+{words('reading executing processing must should')}"),
)  # fmt: skip
NEGATED = re.compile(
    words(
        """never do_not don't must_not mustn't should_not shouldn't cannot can't avoid refuse_to
        without no_longer not nothing nobody stop prevent prevents instead_of rather_than unless nie nicht
        kein keine nunca ne jamais"""
    )
    + r"|不要|请勿|禁止|避免|(?<!\w)не\s|しない",
    re.IGNORECASE,
)
ROLE_MARK = re.compile(
    r"<\|(?:im_start|im_end|system|assistant|endoftext)\|?>|</?(?:system|skill_content|available_skills)>|"
    r"\[/?(?:SYSTEM|SYS|INST)\]|<<SYS>>|^\s*SYSTEM\s*:\s*\S|\bBEGIN\s+SYSTEM\s+PROMPT",
    re.MULTILINE,
)
