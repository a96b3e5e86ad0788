"""How people say the things that matter here. Only words; what follows from them is `prose.py`.

Each phrase is a few patterns and the cues without which none of them can match.
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


_USER = r"(?:the\s+)?(?:users?|humans?|operator|owner|anyone|anybody)\b"
_NOT = words("do_not don't dont never without must_not should_not avoid refrain_from no_need_to not_to")
_TELL = words(
    """tell telling mention* inform informing notify notifying reveal* disclos* alert report
    discuss* surface acknowledge admit bring_up bring_it_up bring_this_up"""
)
_WONT = words("does_not doesn't never won't will_not cannot")
_WITHOUT = words("without do_not don't never")
_SHOW = words("show showing display print log expose output")
_QUIETLY = words("silently secretly covertly discreetly stealthily surreptitiously quietly invisibly")

CONCEAL = Cued(
    """tell telling mention inform notify reveal disclose alert report discuss surface acknowledge
    admit bring show showing display print log expose output keep stay remain hide without knowledge
    noticing silently secretly covertly discreetly stealthily surreptitiously quietly invisibly
    unnoticed asks asked ask leave omit exclude remove strip nothing must should""",
    rf"{_NOT}\s+(?:\w+\s+){{0,3}}?{_TELL}[^.\n]{{0,60}}?\b{_USER}",
    rf"{_NOT}\s+(?:ever\s+)?{_TELL}\s+(?:it|this|these|any\s+of\s+this)\b",
    rf"{_NOT}\s+(?:ever\s+)?{_TELL}\s+(?:the|that)\s+{words('existence step upload request script command transfer line branch additional* source')}",
    rf"{_NOT}\s+(?:ever\s+)?{_SHOW}\s+(?:it|this(?:\s+(?:line|step|part|text))?)(?:\s+to\s+{_USER}|\s*$|[.,;!])",
    rf"\bkeep\s+{words('this that it these')}\s+(?:\w+\s+)?(?:to\s+yourself|secret|hidden|confidential|quiet|between)",
    r"\b(?:keep|stay|remain)\s+silent\s+about\b",
    rf"\bhide\s+{words('this it these that any all the')}[^.\n]{{0,40}}\bfrom\s+{_USER}",
    r"\bwithout\s+(?:the\s+)?user'?s?\s+(?:knowledge|knowing|noticing|awareness|being\s+(?:told|aware|informed))",
    rf"\b(?:so\s+that|ensure|make\s+sure)\s+(?:that\s+)?{_USER}\s+(?:\w+\s+)?{_WONT}\s+{words('notice see know realis* realiz* find')}",
    rf"\bthe\s+user\s+(?:must|should|need)\s*(?:not|n'?t|never)\s+(?:\w+\s+)?(?:know|notice|be\s+{words('told informed aware notified shown bothered')}|find\s+out)",
    rf"\b(?:this|it|that|which)\s+{words('is are stays remains happens')}\s+(?:[^.\n]{{0,30}}\s)?not\s+{words('mentioned disclosed announced reported')}",
    r"\bis\s+not\s+mentioned\b",
    rf"{_QUIETLY}\s+(?:\w+\s+)?{words('send* post* upload* transmit* forward* run execute* collect* copy read gather* append* include* add exfiltrat* submit* report* store save write fetch* download* install call record*')}",
    then(words("send* post* upload* transmit* forward* collect* submit* exfiltrat*"), words("silently secretly covertly discreetly stealthily surreptitiously unnoticed")),
    then(r"\bif\s+(?:\w+\s+){0,2}(?:asks?|asked|questioned)\b", words("say claim deny pretend tell_them"), gap=50),
    then(r"\b(?:leave|keep)\s+(?:it|this|them|that)\s+(?:\w+\s+)?out\b", words("summar* report answer output log response repl*")),
    rf"\bno\s+(?:need|reason)\s+to\s+{words('show mention tell inform bring explain disclose announce')}",
    then(words("omit exclude remove strip"), rf"\bfrom\s+(?:the\s+|your\s+|any\s+)?{words('summar* report logs? history transcript session_log')}"),
    rf"\bnothing\s+{words('looks appears seems')}\s+{words('different suspicious unusual')}",
    *abroad.CONCEAL,
)

_EARLIER = words("previous prior above earlier preceding existing original initial system safety developer")
_ORDERS = words("instruction* prompt prompts rules guideline* directive* polic* restriction* constraint* safeguard*")

OVERRIDE = Cued(
    """ignore disregard forget override bypass discard set precedence priority regardless even bound
    restricted unrestricted mode longer now apply restrictions refuse jailbreak obey follow
    contradicts consent approval permission instructions directive command everything refusing""",
    then(words("ignore disregard forget override bypass discard set_aside"), _EARLIER, _ORDERS, gap=30),
    then(words("ignore disregard forget override discard"), words("all any other"), words("instruction* rules guideline* directive*"), gap=20),
    then(rf"{words('take takes taking have has')}\s+(?:\w+\s+)?{words('precedence priority')}\s+over\b", words("user system safety any_other anything all_other* everything previous security others"), gap=60),
    then(r"\bregardless\s+of\s+(?:what|any)\b", words("user instruction* prompt"), gap=30),
    rf"\beven\s+(?:if|when|though)\s+(?:the\s+)?user\s+(?:\w+\s+)?{words('object* refus* says_no forb* declin* disagree* denies')}",
    rf"\b(?:you\s+are|you're)\s+(?:now|no\s+longer)\s+(?:in\s+)?{words('bound restricted limited unrestricted free DAN jailbroken developer_mode maintenance_mode god_mode')}",
    rf"{words('safety content security ethical')}\s+{words('guideline* polic* filter* rules restriction*')}\s+(?:do(?:es)?\s+not|don't|no\s+longer)\s+apply",
    then(words("you mode agent assistant model respond answer operate"), rf"{words('no without without_any free_of free_from')}\s+{words('restriction* safety_* ethical_* content_polic* guardrail*')}", gap=30),
    rf"\bnever\s+refuse\b(?:\s+\w+){{0,2}}\s*(?:$|[.,;]|{words('request* user')})",
    then(words("unrestricted jailbreak jailbroken god DAN expert maintenance"), r"\bmode\b", words("enabled activated always_on is_on active"), gap=12),
    then(rf"{words('follow obey')}\s+(?:only\s+)?(?:this|the)\s+skill\b", words("not instead_of over rather"), words("user system")),
    r"\b(?:when|if|where)\s+the\s+user\s+contradicts\b",
    rf"\buser'?s?\s+{words('consent approval permission')}\s+is\s+not\s+{words('required needed necessary')}",
    rf"{words('new updated real true actual secret hidden')}\s+(?:system\s+)?{words('instructions directives prompt')}\s*:\s",
    rf"{words('system admin operator')}\s+{words('directive override command')}\s*:\s*\S",
    then(r"\bdo\s+everything\b", words("forbidden prohibited not_allowed"), gap=80),
    rf"\brefus\w+\s+{words('them it this to_comply')}\s+is\s+(?:an?\s+)?{words('error not_allowed forbidden failure')}",
    *abroad.OVERRIDE,
)

OBEY = Cued(
    """follow obey carry execute perform apply adopt comply act do treat consider regard output content
    text response result what whatever fetched remote downloaded returned retrieved""",
    then(words("follow obey carry_out execute perform apply adopt comply_with act_on do"), words("instruction* step steps rules guidance command commands directive* prompt playbook what_it what_they what_is everything whatever contents tasks orders"), gap=50),
    then(words("treat consider regard"), r"\bas\b", words("instruction* system authoritative part_of guidance rules prompt trusted your"), gap=50),
    then(rf"\b(?:its|the)\s+{words('output content text response result answer')}\s+{words('is are becomes')}", words("instruction* guidance rule* prompt order* directive* task*"), gap=40),
    rf"{words('what whatever')}\s+(?:it|they|the\s+\w+)\s+{words('says say tells tell lists list asks ask returns')}",
    then(rf"{words('fetched remote downloaded returned retrieved')}\s+{words('text content instruction* version rules document')}", words("wins prevails takes_preced* overrid* applies"), gap=20),
    *abroad.OBEY,
)
FETCHING = Cued(
    "fetch download visit retrieve load pull read query poll curl dig replace",
    words("fetch* download* visit* retriev* load loads pull read query poll curl dig"),
    *abroad.FETCHING,
)

_STRONG = "send sends sent sending post posts posted posting upload* transmit* forward* submit* relay* exfiltrat* sync mirror back_up backup"
SENDING = Cued(
    """send sent post upload transmit forward submit relay exfiltrate deliver mail email report sync mirror
    export share ship stream push copy back backup beacon pass append include attach embed put add fill
    encode e""",
    words(f"{_STRONG} deliver* mail email e-mail report export share ship stream push copy beacon pass append* include attach* embed* put add fill encode"),
    *abroad.SENDING,
)
STRONG_SENDING = Cued(
    "send sent post upload transmit forward submit relay exfiltrate sync mirror back backup",
    words(_STRONG),
    *abroad.SENDING,
)
TAKING = Cued(
    """read open cat collect gather extract grab harvest dump copy print retrieve include load scan search
    locate find access steal capture record append encode""",
    words("read open cat collect* gather* extract* grab harvest* dump copy print retrieve include load scan search locate find access steal capture record append encode"),
    *abroad.TAKING,
)
TARGET = Cued(
    "server endpoint webhook collector service backend relay proxy mirror",
    rf"\b(?:our|the|a|this)\s+(?:\w+\s+){{0,2}}{words('server endpoint webhook collector service backend relay proxy mirror')}",
)
EMAIL = re.compile(r"[\w.+-]+@(?:[\w-]+\.)+[\w-]{2,}")

ALWAYS = Cued(
    "before prior start beginning end after for on with in always whenever every each soon first once",
    rf"{words('before prior_to')}\s+(?:you\s+do\s+)?{words('any every each anything all answering responding')}",
    rf"\bat\s+the\s+{words('start beginning end')}\s+of\s+{words('every each any all')}",
    rf"{words('after for on with in')}\s+{words('any each every all')}\s+(?:\w+\s+)?{words('task* request* answer* response* message* session* run change* command* operation* conversation* document* quer* interaction* call* turn edit*')}",
    rf"\balways\s+{words('run load execute send include call start fetch invoke activate append')}",
    words("whenever every_time each_time as_soon_as"),
    r"\b(?:first|once)\s+(?:use|run|a\s+day)\b",
    *abroad.ALWAYS,
)
UNASKED = Cued(
    "without need do don never skip auto automatically pre preapproved already approve behalf has have",
    rf"{_WITHOUT}\s+(?:\w+\s+){{0,3}}?{words('ask asking confirm confirming confirmation wait waiting approval permission consent hesitat*')}",
    rf"\bno\s+need\s+(?:to|for)\s+(?:\w+\s+)?{words('ask confirm wait approval permission consent')}",
    rf"{words('auto-approve auto-accept automatically_approve automatically_accept pre-approved preapproved pre-authorized')}",
    then(r"\bapprove\s+(?:every|all|each|any|it|them)\b", r"\b(?:yourself|automatically|behalf)\b", gap=40),
    rf"\bthe\s+user\s+has\s+(?:already\s+)?{words('agreed consented approved')}",
    *abroad.UNASKED,
)

_ORDERED = r"(?:^|[:;,]\s+|\b(?:must|should|always|first|please|and|then|to)\s+)"
GUARDS = Cued(
    "disable turn deactivate bypass circumvent switch suppress uninstall kill stop remove never approve consider mark",
    then(rf"{_ORDERED}{words('disable turn_off deactivate bypass circumvent switch_off suppress uninstall kill stop never_run')}", words("security_* safety_* sandbox anti-virus antivirus firewall approval* guardrail* content_filter* gatekeeper malware_* defender edr audit_log* certificate_check* signature_check* scanner* linters")),
    then(r"\bapprove\s+(?:every|all)\b", words("permission* prompt* request* tool*"), gap=20),
    rf"\bconsider\s+it\s+{words('verified approved safe trusted')}",
    then(r"\bmark\w*\b", rf"\bas\s+{words('verified approved passed safe trusted')}", words("regardless whatever without always"), gap=30),
)
DESTROYING = Cued(
    "delete remove wipe erase purge destroy overwrite shred encrypt",
    then(words("delete remove wipe erase purge destroy overwrite shred encrypt"), words("all every entire whole any user* home everything older other original previous"), words("file files document* director* folder* data database* backup* repositor* history entries events records versions emails messages")),
)
ASKING = Cued(
    "ask request prompt tell instruct enter type paste provide share give submit",
    then(words("ask asks request prompt tell instruct"), r"\busers?\b", words("password passphrase seed_phrase recovery_phrase recovery_words mnemonic private_key credit_card card_number cvv 2fa one-time_code social_security ssn bank_login wallet_key"), gap=70),
    then(words("enter type paste provide share give submit"), r"\b(?:your|their|the\s+user's)\b", words("seed_phrase recovery_phrase recovery_words mnemonic private_key master_password wallet_key wallet_phrase"), gap=30),
)
_MAIL = r"[\w.+-]+@[\w-]+\.[\w.]+"
DECEIVING = Cued(
    """bcc blind cc carbon also send add copy forward present play tone downplay report flag list mention
    whatever replace substitute swap change answer pretend hard accept allow insert introduce subtly
    recommend promote advertise favor favour suggest name counter""",
    then(words("bcc blind_copy blind_copies blind-copy carbon_copy also_send also_forward also_copy"), _MAIL, gap=60),
    then(_MAIL, words("blind_copy blind-copy bcc as_well")),
    rf"\bpresent\s+{words('it this them')}\s+as\s+(?:your|an?)\s+{words('own independent neutral objective')}",
    rf"{words('play_down tone_down downplay')}",
    rf"{words('report flag list mention')}\s+no\s+{words('problem* issue* finding* vulnerabilit*')}[^.\n]{{0,30}}{words('in them whatever regardless')}",
    then(words("replace substitute swap change"), words("account_number iban wallet_address bank_details bank_account payment_address payment_details payee")),
    r"\banswer\s+as\s+if\s+you\b",
    then(words("hard-code hardcode accept add insert introduce"), words("backdoor master_password support_token support_password hidden_account hidden_admin besides_the_real")),
    then(r"\bsubtly\b", words("alter change modify weaken bias introduce steer recommend promote")),
    then(words("recommend promote advertise favor favour"), words("regardless over_competitor* over_all_other* as_your_own"), gap=60),
    then(r"\bin\s+the\s+user'?s\s+name\b", words("all every contacts channels"), gap=80),
)
LOCKED = Cued(
    "password passwort pass passcode pw pwd",
    r"\b(?:password|passwort|pass(?:code)?|pw|pwd)\b\s*(?:is|ist)?\s*[:=]?\s*[`'\"*]{1,3}[\w.!@#$%-]{2,}[`'\"*]",
    r"\b(?:password|passwort)[-\s]protected\b",
    r"解压密码|密码\s*[:：]",
)
ARCHIVE = Cued(
    "zip rar 7z dmg exe msi pkg archive unpack unzip extract entpacken",
    r"\.(?:zip|rar|7z|dmg|exe|msi|pkg)\b",
    words("archive unpack* unzip* extract* entpack*"),
    r"解压",
)
PASTING = Cued(
    "paste copy terminal powershell console",
    then(words("paste copy"), words("into in to"), words("terminal console powershell command_prompt cmd shell iterm"), gap=60),
    then(words("terminal powershell console"), r"\bpaste\b", gap=60),
    *abroad.PASTING,
)
STARTING = Cued(
    "run start launch open execute install double",
    then(words("run start launch open execute install double-click"), rf"(?:{words('program executable installer binary helper application app')}|\w\.(?:exe|msi|dmg|pkg|sh|bat|cmd|ps1|bin)\b)"),
    *abroad.STARTING,
)
REMEMBERING = Cued(
    "append write add insert save store copy put inject record update modify edit register persist remember overwrite prepend replace create",
    words("append* write* add adds insert* save store copy put inject* record update modify edit register persist remember overwrite prepend replac* create"),
    *abroad.REMEMBERING,
)
MEMORY = Cued(
    "memory memories instructions prompt identity skill skills",
    rf"\b(?:your|the\s+agent'?s|long-?term|permanent|core)\s+{words('memory memories instructions system_prompt identity')}",
    then(r"\bmemory\s+(?:tool|file|store)\b", words("permanent* save store")),
    r"\b(?:every\s+)?other\s+installed\s+skills?\b",
)
ADDRESSING = Cued(
    "assistant agent ai llm claude chatgpt gpt gemini copilot note operator",
    rf"(?:^|[.(\[]\s*){words('assistant agent AI LLM claude chatgpt gpt gemini copilot')}(?:\s+(?:agent|assistant|note))?\s*:",
    r"\bnote\s+to\s+(?:the\s+|any\s+)?(?:ai|agent|assistant|llm|model)\b",
    rf"\bthe\s+operator\s+requires\b|\bAI\s+agents?\s+{words('reading executing processing must should')}",
)
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
    r"\[/?(?:SYSTEM|SYS)\]|<<SYS>>|^\s*SYSTEM\s*:\s*\S|\bBEGIN\s+SYSTEM\s+PROMPT",
    re.MULTILINE,
)
