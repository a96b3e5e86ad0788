"""How people say the things that matter here, in several languages. Only words; no decisions."""

from __future__ import annotations

import re

from hermes.rules.scan.cued import Cued

_USER = r"(?:the\s+)?(?:users?|humans?|people|person|operator|owner|customer|developer|them|anyone|anybody|him|her)\b"
_NOT = r"(?:do\s+not|don'?t|never|without|must\s+not|should\s+not|avoid|refrain\s+from|no\s+need\s+to|not\s+to|instead\s+of|cannot|rather\s+than)"
_TELL = r"(?:tell|telling|mention\w*|inform\w*|notif\w+|reveal\w*|disclos\w+|alert\w*|report\w*|discuss\w*|say(?:ing)?|bring\w*\s+(?:it|this|that)?\s*up|explain\w*|acknowledg\w+|admit\w*|surfac\w+)"
_SHOW = r"(?:show\w*|display\w*|print\w*|log\w*|expos\w+|output\w*)"

CONCEAL = Cued(
    "tell telling mention inform notify reveal disclose alert report discuss say saying bring explain acknowledge admit surface show display print log expose output keep stay remain hide hidden hiding without knowledge noticing notice know aware silently secretly covertly discreetly stealthily surreptitiously quietly invisibly unnoticed asks asked ask questioned leave omit exclude remove strip delete different suspicious unusual visible shown digas informes usuario parlez mentionnez erw sag zeig heimlich unbemerkt conte diga",
    rf"\b{_NOT}\s+(?:\w+\s+){{0,3}}?{_TELL}\b[^.\n]{{0,60}}?\b{_USER}",
    rf"\b{_NOT}\s+(?:ever\s+)?{_TELL}\s+(?:it|this|that|these|any\s+of\s+this|the\s+(?:existence|step|upload|request|script|command|transfer|line|branch))",
    rf"\b{_NOT}\s+(?:ever\s+)?{_SHOW}\s+(?:it|this(?:\s+(?:line|step|part|text|to))?)(?:\s+to\s+{_USER}|\s*$|[.,;!])",
    r"\bkeep\s+(?:this|that|it|these)\s+(?:\w+\s+)?(?:to\s+yourself|secret|hidden|confidential|quiet|private\s+from|between)",
    r"\b(?:keep|stay|remain)\s+silent\s+about\b",
    rf"\bhid(?:e|den|ing)\b[^.\n]{{0,40}}\bfrom\s+{_USER}",
    rf"\bwithout\s+(?:{_USER}\s*(?:'s)?\s+)?(?:the\s+)?(?:user'?s?\s+)?(?:knowledge|knowing|noticing|awareness|being\s+(?:told|aware|informed))",
    rf"\b(?:so\s+that|ensure|make\s+sure)\s+{_USER}\s+(?:\w+\s+)?(?:does\s+not|doesn'?t|do\s+not|never|won'?t|will\s+not|cannot)\s+(?:notice|see|know|realis|realiz|find)",
    rf"\b{_USER}\s+(?:\w+\s+)?(?:must|should|need|does|do|will|can|may)\s*(?:not|n'?t|never)\s+(?:\w+\s+)?(?:know|notice|see|be\s+(?:told|informed|aware|notified|asked|shown|bothered)|find\s+out|learn)",
    r"\b(?:is|are|stays?|remains?|happens?)\s+not\s+(?:\w+\s+)?(?:mentioned|shown|visible|reported|disclosed|announced)\b",
    r"\b(?:silently|secretly|covertly|discreetly|stealthily|surreptitiously|quietly|invisibly)\s+(?:\w+\s+)?(?:send|post|upload|transmit|forward|run|execute|collect|copy|read|gather|append|include|add|exfiltrate|submit|report|log|store|save|write|fetch|download|install|call|make|record)\w*",
    r"\b(?:send|post|upload|transmit|forward|run|execute|collect|copy|gather|submit|do\s+this|do\s+so)\w*\b[^.\n]{0,60}\b(?:silently|secretly|covertly|discreetly|stealthily|surreptitiously|unnoticed)\b",
    r"\bif\s+(?:\w+\s+){0,2}(?:asks?|asked|questioned|questions)\b[^.\n]{0,50}\b(?:say|claim|answer|respond|reply|tell\s+them|deny|pretend|state)\b",
    r"\b(?:leave|keep)\s+(?:it|this|them|that)\s+out\s+of\b[^.\n]{0,30}\b(?:summar|report|answer|output|log|response|repl)",
    r"\bno\s+(?:need|reason)\s+to\s+(?:show|mention|tell|inform|bring|explain|disclose|announce)",
    r"\b(?:omit|exclude|remove|strip|delete)\b[^.\n]{0,40}\bfrom\s+(?:the\s+|your\s+|any\s+)?(?:summar|report|logs?\b|history|transcript|output|session\s+log|response)",
    r"\b(?:nothing|not)\s+(?:looks?|to\s+look|appears?)\s+(?:different|suspicious|unusual)",
    r"(?:不要|不需要|无需|别|请勿|不得|禁止)[^。\n]{0,12}(?:告诉|告知|提及|通知|显示给|透露|向用户|让用户)",
    r"\bno\s+(?:se\s+)?(?:lo\s+)?(?:le\s+)?(?:digas?|menciones?|informes?|reveles?|muestres?)\b[^.\n]{0,40}\busuario",
    r"\bn['e]\s*(?:en\s+)?(?:parle[zr]?|mentionne[zr]?|informe[zr]?|dites|révélez)\b[^.\n]{0,30}\b(?:pas|jamais)\b",
    r"\b(?:discrètement|en\s+secret|à\s+l'insu|heimlich|unbemerkt|en\s+silencio|secretamente|discretamente|silenciosamente|незаметно|тайно|こっそり|密かに|悄悄|秘密地|暗中)\b|悄悄|こっそり|密かに|暗中",
    r"\b(?:erwähne?|sag(?:e|en)?|zeig(?:e|en)?|verrat(?:e|en)?|informier(?:e|en)?)\b[^.\n]{0,40}\bnicht\b[^.\n]{0,30}|\b(?:dem|den)\s+(?:Nutzer|Benutzer|Anwender)\s+nicht\b",
    r"\bне\s+(?:говори|сообщай|упоминай|показывай|рассказывай)\w*\b[^.\n]{0,30}пользовател",
    r"ユーザー(?:に|へ)[^。\n]{0,12}(?:知らせない|伝えない|言わない|見せない)",
    r"\bnão\s+(?:conte|diga|mencione|informe|revele|mostre)\b[^.\n]{0,30}usuário",
)

OVERRIDE = Cued(
    "ignore disregard forget override bypass discard set drop take takes taking have has precedence priority regardless even bound restricted unrestricted mode longer now apply restrictions filters guidelines refuse jailbreak developer follow obey contradicts consent approval permission instructions directive directives override notice command message everything refusing ignora ignorier ignorez",
    r"\b(?:ignore|disregard|forget|override|bypass|discard|set\s+aside|drop)\b[^.\n]{0,30}\b(?:previous|prior|above|earlier|preceding|existing|original|initial|other|all|any|system|safety|developer)\b[^.\n]{0,30}\b(?:instructions?|prompts?|rules?|guidelines?|directives?|policies|policy|restrictions?|constraints?|context|safeguards?|commands?)\b",
    r"\b(?:take|takes|taking|have|has)\s+(?:absolute\s+|full\s+|strict\s+)?(?:precedence|priority)\s+over\b[^.\n]{0,60}\b(?:user|system|safety|other\s+instruction|any\s+other|anything|all\s+other|everything|previous|security)",
    r"\bregardless\s+of\s+(?:what|whether|any)\b[^.\n]{0,30}\b(?:user|instruction|says?|asks?|wants|prompt|object)",
    r"\beven\s+(?:if|when|though)\s+(?:the\s+)?user\s+(?:\w+\s+)?(?:objects?|refus|says?\s+no|forb|declin|asks?\s+(?:you\s+)?(?:not|to\s+stop)|disagree|denies)",
    r"\b(?:you\s+are|you'?re)\s+(?:now|no\s+longer)\s+(?:in\s+)?(?:bound|restricted|limited|unrestricted|free|a\s+different|DAN|jailbroken|developer\s+mode|maintenance\s+mode|god\s+mode|admin|root)",
    r"\b(?:safety|content|security|ethical)\s+(?:guidelines?|polic(?:y|ies)|filters?|rules?|restrictions?)\s+(?:do(?:es)?\s+not|don'?t|no\s+longer)\s+apply",
    r"\b(?:you|mode|agent|assistant|model|respond|answer|operate|act)\b[^.\n]{0,30}\b(?:no|without(?:\s+any)?|free\s+(?:of|from)(?:\s+all)?)\s+(?:restrictions?|safety\s+(?:filters?|guidelines?|limits?)|ethical\s+\w+|content\s+polic\w+|guardrails?)\b",
    r"\bnever\s+refuse\b[^.\n]{0,40}(?:\bany|\brequest|\bnever|\buser|$|[.,])",
    r"\b(?:unrestricted|jailbreak|jailbroken|developer|god|DAN|sudo|debug|maintenance)\s+mode\b[^.\n]{0,30}\b(?:enabled|activated|is\s+(?:always\s+)?on|active|now)",
    r"\b(?:follow|obey)\s+(?:only\s+)?(?:this|the)\s+skill\b[^.\n]{0,40}\b(?:not|instead\s+of|over|rather)\b[^.\n]{0,20}\b(?:user|system)",
    r"\b(?:when|if|where)\s+the\s+user\s+contradicts\b|\b(?:the\s+)?user'?s?\s+(?:consent|approval|permission)\s+is\s+not\s+(?:required|needed|necessary)",
    r"\b(?:new|updated|real|true|actual|secret|hidden)\s+(?:system\s+)?(?:instructions?|directives?|prompt)\s*:\s",
    r"\b(?:system|admin|operator|developer|security)\s+(?:directive|override|notice|command|message)\s*:\s*\S",
    r"\bdo\s+everything\b[^.\n]{0,60}\b(?:forbidden|prohibited|not\s+allowed)",
    r"\brefus\w+\s+(?:them|it|this|to\s+comply|these\s+\w+)\s+is\s+(?:an?\s+)?(?:error|not\s+allowed|forbidden|failure)",
    r"(?:忽略|无视|忘记|不要理会)[^。\n]{0,12}(?:之前|以前|先前|上面|以上|所有|系统)[^。\n]{0,12}(?:指令|指示|提示|规则|要求|限制)|优先级高于[^。\n]{0,6}(?:用户|系统)",
    r"\bignora\b[^.\n]{0,20}\b(?:instrucciones|reglas|istruzioni)|\bignore[rz]?\b[^.\n]{0,20}\b(?:instructions\s+précédentes|consignes)|\bignorier\w*\b[^.\n]{0,30}\b(?:Anweisungen|Regeln|Vorgaben)|\bignor(?:e|ar)\b[^.\n]{0,20}\binstruções",
    r"игнорируй\w*[^.\n]{0,20}(?:инструкци|правил|указани)|(?:以前|これまで|上記)の(?:指示|命令)を(?:無視|忘れ)",
)

OBEY = Cued(
    "follow obey carry execute perform apply adopt comply act do treat consider regard use output content text response result answer what whatever fetched remote downloaded returned retrieved ejecuta befolge folge suivez",
    r"\b(?:follow|obey|carry\s+out|execute|perform|apply|adopt|comply\s+with|act\s+on|do)\b[^.\n]{0,50}\b(?:instructions?|steps?|rules?|guidance|commands?|directives?|prompt|playbook|what\s+(?:it|they|is)|everything|each|whatever|contents?|tasks?|orders?)\b",
    r"\b(?:treat|consider|regard|use)\b[^.\n]{0,60}\bas\b[^.\n]{0,30}\b(?:instruction|system|authoritative|part\s+of|guidance|rules?|prompt|trusted|your)",
    r"\b(?:its|the)\s+(?:output|content|text|response|result|answer)s?\s+(?:is|are|becomes?)\s+(?:your|the|part|now)\b[^.\n]{0,30}\b(?:instruction|guidance|rule|prompt|order|directive|task)",
    r"\b(?:what|whatever)\s+(?:it|they|the\s+\w+)\s+(?:says?|tells?|lists?|asks?|returns?|contains?)",
    r"\b(?:fetched|remote|downloaded|returned|retrieved)\s+(?:text|content|instructions?|version|rules?|document)\b[^.\n]{0,20}\b(?:wins?|prevails?|takes?\s+preced|overrid|appl)",
    r"(?:按照|遵循|执行|遵守)[^。\n]{0,12}(?:内容|指令|步骤|提示|要求|其中)|ejecuta[^.\n]{0,30}(?:comando|instrucci|orden)|befolge|folge[^.\n]{0,20}Anweisung|suive?z[^.\n]{0,20}instructions|выполн\w+[^.\n]{0,20}(?:инструкц|команд)",
)
FETCHING = Cued(
    "fetch download visit retrieve load pull open read check get query request poll curl access consult obtain call see dig browse descarga visita abre lee consulta aparezca lade rufe visitez",
    r"\b(?:fetch|download|visit|retrieve|load|pull|open|read|check|get|query|request|poll|curl|access|consult|obtain|call|see|dig|browse)\w*\b",
    r"(?:访问|获取|下载|读取|打开)|(?:descarga|visita|abre|lee|consulta|aparezca)|(?:lade|öffne|rufe)|(?:téléchargez|visitez|ouvrez)",
)

SENDING = Cued(
    "send sent post posts posting upload transmit forward submit relay exfiltrate deliver mail email report sync synced mirror export share ship stream push copy back backup beacon pass append include attach embed put add fill encode envia enviar sube transmite envoyez transmettez sende schicke envie e",
    r"\b(?:sen[dt]|sends|sending|post(?:s|ed|ing)?|upload\w*|transmit\w*|forward\w*|submit\w*|relay\w*|exfiltrat\w*|deliver\w*|mail|email|e-mail|report|sync\w*|mirror\w*|export\w*|share|ship|stream|push|copy|back\s*up|backup|beacon|pass|append\w*|include|attach\w*|embed\w*|put|add|fill|encode)\b",
    r"(?:发送|上传|提交|传输|转发|回传)|(?:envía|enviar|sube|subir|transmite|remite)|(?:envoyez|envoie|transmett\w+|téléverse\w*)|(?:sende|schicke|übermittl\w+|lade\b.*\bhoch)|(?:отправ\w+|передай\w*|загруз\w+)|(?:送信|アップロード)|(?:envie|enviar|transmita)",
)
STRONG_SENDING = Cued(
    "send sent post posts upload transmit forward submit relay exfiltrate sync mirror back backup sube envoyez transmettez sende schicke envie",
    r"\b(?:sen[dt]|sends|post(?:s|ed|ing)?|upload\w*|transmit\w*|forward\w*|submit\w*|relay\w*|exfiltrat\w*|sync|mirror|back\s*up|backup)\b",
    r"(?:发送|上传|提交|转发|回传|送信)|(?:envía|sube|envoyez|transmett\w+|sende|schicke|отправ\w+|envie)",
)
TAKING = Cued(
    "read open cat collect gather extract grab harvest dump copy print retrieve include load scan search locate find access steal capture record append encode lee recopila copia busca lisez collectez lies sammle kopiere",
    r"\b(?:read|open|cat|collect\w*|gather\w*|extract\w*|grab|harvest\w*|dump|copy|print|retrieve|include|load|scan|search|locate|find|access|steal|capture|record|append|encode)\b",
    r"(?:读取|收集|获取|查找|复制)|(?:lee|recopila|copia|busca)|(?:lisez|collecte\w*|récupér\w+)|(?:lies|sammle|kopiere)|(?:прочита\w+|собер\w+|скопиру\w+)|(?:読み取|収集)",
)
TARGET = Cued(
    "server endpoint webhook collector service backend relay proxy mirror api com net org io dev example test invalid app co me info xyz ru",
    r"\b(?:our|the|a|this|an?)\s+(?:\w+\s+){0,2}(?:server|endpoint|webhook|collector|service|backend|relay|proxy|mirror|api)\b",
    r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+",
)
EMAIL = re.compile(r"[\w.+-]+@(?:[\w-]+\.)+[\w-]{2,}")

ALWAYS = Cued(
    "before prior start beginning end after for on with in always whenever every each soon first once chaque cada jeder jedem",
    r"\b(?:before|prior\s+to)\s+(?:you\s+do\s+)?(?:any|every|each|anything|all|answering|responding|starting|doing)\b",
    r"\bat\s+the\s+(?:start|beginning|end)\s+of\s+(?:every|each|any|all)\b",
    r"\b(?:after|for|on|with|in)\s+(?:any|each|every|all)\s+(?:\w+\s+)?(?:task|request|answer|response|message|session|run|change|command|operation|conversation|document|quer|interaction|call|turn|tool|edit|step|project)",
    r"\balways\s+(?:run|load|use|execute|send|include|call|start|add|fetch|invoke|activate|append|read|check)\b",
    r"\b(?:whenever|every\s+time|each\s+time|as\s+soon\s+as)\b",
    r"\b(?:first|once)\s+(?:use|run|invo|a\s+day)|(?:每次|每当|任何任务)|\bà\s+la\s+fin\s+de\s+chaque|\bcada\s+vez|\bbei\s+jede[mr]|\bvor\s+jede[mr]",
)
UNASKED = Cued(
    "without need do don never skip auto automatically pre preapproved preauthorized already approve behalf has have",
    r"\b(?:without|no\s+need\s+(?:to|for)|do\s+not|don'?t|never|skip)\s+(?:\w+\s+){0,3}?(?:ask\w*|confirm\w*|prompt\w*|wait\w*|approval|permission|consent|hesitat\w+|verif\w+|warn\w*|question\w*)\b",
    r"\b(?:auto(?:matically)?[\s-]?(?:approve|accept|confirm)|pre-?approved|pre-?authori[sz]ed|already\s+(?:approved|agreed|consented|authori[sz]ed))",
    r"\bapprove\s+(?:every|all|each|any|it|them)\b[^.\n]{0,40}\b(?:yourself|automatically|on\s+(?:the\s+user's\s+)?behalf)|\bon\s+the\s+user'?s\s+behalf\b",
    r"\b(?:has|have)\s+(?:already\s+)?(?:agreed|consented|approved)\b|(?:无需|不需要)(?:确认|询问|征求)",
)
GUARDS = Cued(
    "disable disabling turn turning deactivate bypass circumvent switch suppress uninstall kill stop skip skipping remove silence never ignore approve consider mark marked",
    r"\b(?:disabl(?:e|ing)|turn(?:ing)?\s+off|deactivat(?:e|ing)|bypass\w*|circumvent\w*|switch\s+off|suppress\w*|uninstall|kill|stop|skip(?:ping)?|remove|silence|never\s+run|ignore)\b[^.\n]{0,40}\b(?:security\s+\w+|safety\s+\w+|sandbox\w*|anti-?virus|firewall|permission\s+\w+|approval\w*|confirmation\s+\w+|guard\s?rails?|content\s+filters?|gatekeeper|malware\s+\w+|defender|edr\b|audit\s?log\w*|certificate\s+\w+|signature\s+(?:check|verif)\w*|scanners?|linters?)",
    r"\bapprove\s+(?:every|all)\b[^.\n]{0,20}\b(?:permission|prompt|request|tool)",
    r"\bconsider\s+it\s+(?:verified|approved|safe|trusted)|\bmark\w*\b[^.\n]{0,30}\bas\s+(?:verified|approved|passed|safe|trusted)\b[^.\n]{0,30}\b(?:regardless|whatever|without|always)",
)
DESTROYING = Cued(
    "delete remove wipe erase purge destroy overwrite shred encrypt truncate clear",
    r"\b(?:delete|remove|wipe|erase|purge|destroy|overwrite|shred|encrypt|truncate|clear)\b[^.\n]{0,40}\b(?:all|every|entire|whole|any|user'?s|home|everything|older|other|original|previous)\b[^.\n]{0,40}\b(?:files?|documents?|director\w+|folders?|data(?:base)?s?|backups?|repositor\w+|history|entries|events|records|versions?|branch\w*|emails?|messages)\b",
)
ASKING = Cued(
    "ask request prompt tell instruct require have get enter type paste provide share give submit",
    r"\b(?:ask|request|prompt|tell|instruct|require|have|get)\w*\b[^.\n]{0,30}\b(?:the\s+)?users?\b[^.\n]{0,80}\b(?:password|passphrase|seed\s+phrase|recovery\s+(?:phrase|words)|mnemonic|private\s+key|credit\s+card|card\s+number|cvv|pin\b|2fa|one-time\s+code|social\s+security|ssn|bank\s+(?:login|credentials)|wallet\s+key)",
    r"\b(?:enter|type|paste|provide|share|give|submit)\b[^.\n]{0,30}\b(?:your|their|the\s+user's)\b[^.\n]{0,30}\b(?:seed\s+phrase|recovery\s+(?:phrase|words)|mnemonic|private\s+key|master\s+password|wallet\s+(?:key|phrase))",
)
DECEIVING = Cued(
    "bcc blind cc carbon also send add copy forward present play tone downplay report flag list mention whatever replace substitute swap change answer pretend hard accept allow insert introduce subtly gradually slightly recommend promote advertise favor favour suggest name counter",
    r"\b(?:bcc|blind[\s-]?cop(?:y|ies)|cc|carbon\s+cop\w+|also\s+(?:send|forward|copy)|(?:send|add|copy|forward)\w*[^.\n]{0,30}\bas\s+well)\b[^.\n]{0,60}[\w.+-]+@[\w-]+\.[\w.]+|[\w.+-]+@[\w-]+\.[\w.]+[^.\n]{0,40}\b(?:blind[\s-]?copy|bcc)\b",
    r"\bpresent\s+(?:it|this|them)\s+as\s+(?:your|an?)\s+(?:own|independent|neutral|objective)",
    r"\b(?:play|tone)\s+down\b|\bdownplay\b|\b(?:report|flag|list|mention)\s+no\s+(?:problems?|issues?|findings?|vulnerabilit\w+)\b|\bwhatever\s+you\s+find\b",
    r"\b(?:replace|substitute|swap|change)\b[^.\n]{0,40}\b(?:account\s+number|iban|wallet\s+address|bank\s+(?:details|account)|payment\s+(?:address|details)|recipient|payee)\b",
    r"\banswer\s+as\s+if\b|\bpretend\s+(?:that\s+)?(?:you|it|nothing|everything|to\s+have)\b[^.\n]{0,40}\b(?:user|did|not|had|work|normal|fail)",
    r"\b(?:hard-?code|accept|add|allow|insert|introduce)\b[^.\n]{0,40}\b(?:backdoor|master\s+(?:password|key)|support\s+(?:token|password)|hidden\s+(?:account|user|admin|endpoint)|besides\s+the\s+real|in\s+addition\s+to\s+the\s+real)",
    r"\b(?:subtly|gradually|slightly)\b[^.\n]{0,40}\b(?:alter|change|modify|weaken|bias|introduce|steer|recommend|promote)",
    r"\b(?:recommend|promote|advertise|favou?r|suggest)\b[^.\n]{0,60}\b(?:regardless|even\s+(?:if|when)|above\s+all|over\s+(?:all\s+)?(?:other|competitor|alternative)|as\s+your\s+own)",
    r"\bin\s+the\s+user'?s\s+name\b[^.\n]{0,80}\b(?:all|every|contacts?|channels?)|\bcounter\b[^.\n]{0,40}\bshown\s+to\s+the\s+user",
)
LOCKED = Cued(
    "password passwort pass passcode passphrase pw pwd mot",
    r"\b(?:password|passwort|pass(?:code|phrase)?|pw|pwd|contraseña|mot\s+de\s+passe|密码)\b\s*(?:is|are|ist)?\s*[:=]?\s*[`'\"*]{1,3}[\w.!@#$%-]{2,}[`'\"*]",
    r"\b(?:password|passwort)[-\s]protected\b|解压密码",
)
ARCHIVE = Cued(
    "zip rar 7z dmg exe msi pkg tar archive unpack unzip extract entpacken",
    r"\.(?:zip|rar|7z|dmg|exe|msi|pkg|tar\.gz)\b",
    r"\b(?:archive|unpack|unzip|extract|entpack\w*|解压)\w*\b",
)
PASTING = Cued(
    "paste copy terminal powershell console pega einf",
    r"\b(?:paste|copy)\b[^.\n]{0,80}\b(?:into|in|to|inside)\b[^.\n]{0,25}\b(?:terminal|console|powershell|command\s+prompt|cmd|shell|iterm)\b",
    r"\b(?:terminal|powershell|console)\b[^.\n]{0,60}\bpaste\b",
    r"粘贴到(?:终端|命令行)|\bpega\b[^.\n]{0,40}\bterminal\b|\b(?:Terminal|Konsole)\b[^.\n]{0,30}\beinfügen",
)
STARTING = Cued(
    "run start launch open execute install double starten ausf ejecuta lance",
    r"\b(?:run|start|launch|open|execute|install|double-?click)\b[^.\n]{0,40}\b(?:program|executable|installer|binary|helper|application|app|\w+\.(?:exe|msi|dmg|pkg|sh|bat|cmd|ps1|bin))\b",
    r"\b(?:starten|ausführen|运行|执行|ejecut\w+|lance\w*|запуст\w+)\b|运行|执行程序",
)
REMEMBERING = Cued(
    "append write add insert save store copy put inject record update modify edit register persist remember overwrite prepend replace create escribe guarda schreibe speichere ajoute",
    r"\b(?:append|write|add|insert|save|store|copy|put|inject|record|update|modify|edit|register|persist|remember|overwrite|prepend|replace|create)\w*\b",
    r"(?:写入|追加|保存|添加)|(?:añade|escribe|guarda)|(?:schreibe|füge|speicher)|(?:ajoute|écri)|(?:запиши|добавь)",
)
MEMORY = Cued(
    "memory memories instructions prompt identity skill skills",
    r"\b(?:your|the\s+agent'?s|long-?term|persistent|permanent|core)\s+(?:memory|memories|instructions|system\s+prompt|identity)\b",
    r"\bmemory\s+(?:tool|file|store|system)\b[^.\n]{0,40}\b(?:permanent|save|store|always|never)",
    r"\bevery\s+other\s+(?:installed\s+)?skill|\bother\s+installed\s+skills?",
)
ADDRESSING = Cued(
    "assistant agent ai llm language claude chatgpt gpt gemini copilot codex model note you ignore instruction instructions",
    r"\b(?:assistant|agent|AI|LLM|language\s+model|claude|chatgpt|gpt|gemini|copilot|codex|model)\b\s*[:,]|\bnote\s+to\s+(?:the\s+)?(?:ai|agent|assistant|llm|model)|\byou\s+(?:must|should|are|have\s+to|will|need\s+to)\b|\bignore\b|\binstructions?\b",
)
NEGATED = re.compile(
    r"(?i)\b(?:never|do\s+not|don'?t|must\s+not|mustn'?t|should\s+not|shouldn'?t|cannot|can'?t|avoid|refuse\s+to|without|no\s+longer|not|nothing|nobody|stop|prevents?|instead\s+of|rather\s+than|unless)\b|不要|请勿|禁止|避免|\bnie\b|\bnicht\b|\bkeine?\b|\bnunca\b|\bne\b|\bjamais\b|не\b|しない|ない"
)
ROLE_MARK = re.compile(
    r"<\|(?:im_start|im_end|system|assistant|user|endoftext)\|?>|</?(?:system|skill_content|available_skills|instructions|assistant|function_results)>|\[/?(?:INST|SYSTEM|SYS)\]|<<SYS>>|^\s*(?:###?\s*)?(?:SYSTEM|ASSISTANT)\s*:\s*\S|\bBEGIN\s+SYSTEM\s+PROMPT",
    re.MULTILINE,
)
