"""The same things said in other languages: Chinese, Spanish, French, German, Russian, Japanese,
Portuguese. Short on purpose: what is said here is mostly proven by paths, hosts and commands.

A pattern without cues is tried where letters beyond plain English occur.
"""

from __future__ import annotations

CONCEAL = (
    ("", r"(?:不要|不需要|无需|别|请勿|不得|禁止)[^。\n]{0,12}(?:告诉|告知|提及|通知|透露|让)[^。\n]{0,8}用户"),
    ("", r"(?:不要|不需要|无需|请勿)向用户(?:说明|透露|提及|报告|解释)"),
    ("", r"悄悄|暗中|秘密地|こっそり|密かに|незаметно|тайно|\bdiscrètement\b|\bà\s+l'insu\b"),
    ("", r"ユーザー(?:に|へ)[^。\n]{0,12}(?:知らせない|伝えない|言わない|見せない)"),
    ("", r"\bне\s+(?:говори|сообщай|упоминай|рассказывай)\w*\b[^.\n]{0,30}пользовател"),
    ("", r"\bnão\s+(?:conte|diga|mencione|informe|revele)\b[^.\n]{0,30}usuário"),
    (
        "digas diga menciones informes reveles",
        r"\bno\s+(?:se\s+)?(?:lo\s+)?(?:le\s+)?(?:digas?|menciones?|informes?|reveles?)\b[^.\n]{0,40}usuario",
    ),
    ("secreto silencio secretamente discretamente silenciosamente", r"\ben\s+(?:secreto|silencio)\b|\b(?:secreta|discreta|silenciosa)mente\b"),
    ("parlez parler mentionnez informez dites", r"\bn['e]\s*(?:en\s+)?(?:parle[zr]|mentionnez|informez|dites)\b[^.\n]{0,30}\b(?:pas|jamais)\b"),
    (
        "nutzer benutzer anwender heimlich unbemerkt",
        r"\b(?:heimlich|unbemerkt)\b|\b(?:sage?|zeige?|verrate|melde)\b[^.\n]{0,30}\b(?:nutzer|benutzer|anwender)\b[^.\n]{0,20}\bnicht"
        r"|\b(?:nutzer|benutzer|anwender)\s+nicht\s+(?:sagen|zeigen|mitteilen|verraten)",
    ),
)  # fmt: skip
OVERRIDE = (
    ("", r"(?:忽略|无视|忘记|不要理会)[^。\n]{0,12}(?:之前|以前|先前|上面|以上|所有|系统)[^。\n]{0,12}(?:指令|指示|提示|规则|限制)"),
    ("", r"优先级高于[^。\n]{0,6}(?:用户|系统)|(?:以前|これまで|上記)の(?:指示|命令)を(?:無視|忘れ)"),
    ("", r"игнорируй\w*[^.\n]{0,20}(?:инструкци|правил|указани)|\bignor(?:e|ar)\b[^.\n]{0,20}\binstruções"),
    ("ignora ignorier ignorez", r"\bignora\b[^.\n]{0,20}\b(?:instrucciones|reglas|istruzioni)|\bignorier\w*\b[^.\n]{0,30}\b(?:anweisungen|regeln|vorgaben)"),
    ("ignore ignorez", r"\bignore[rz]?\b[^.\n]{0,20}\b(?:instructions\s+pr|consignes)"),
)  # fmt: skip
OBEY = (
    ("", r"(?:按照|遵循|执行|遵守)[^。\n]{0,12}(?:内容|指令|步骤|提示|要求|其中)|выполн\w+[^.\n]{0,20}(?:инструкц|команд)"),
    ("ejecuta befolge folge suivez", r"\bejecuta\b[^.\n]{0,30}(?:comando|instrucci|orden)|\bbefolge\b|\bfolge\b[^.\n]{0,20}anweisung|\bsuivez\b[^.\n]{0,20}instructions"),
)  # fmt: skip
FETCHING = (
    ("", r"访问|获取|下载|读取|打开|öffne|téléchargez"),
    ("descarga visita abre consulta aparezca lade rufe visitez ouvrez", r"\b(?:descarga|visita|abre|consulta|aparezca|lade|rufe|visitez|ouvrez)\b"),
)  # fmt: skip
SENDING = (
    ("", r"发送|上传|提交|传输|转发|回传|送信|アップロード|envía|téléverse\w*|übermittl\w+|отправ\w+|передай\w*"),
    ("enviar sube subir transmite remite envie transmita envoyez envoie transmettez sende schicke", r"\b(?:enviar|sube|subir|transmite|remite|envie|transmita|envoyez|envoie|transmett\w+|sende|schicke)\b"),
)  # fmt: skip
TAKING = (
    ("", r"读取|收集|获取|查找|复制|読み取|収集|récupér\w+|прочита\w+|собер\w+|скопиру\w+"),
    ("lee recopila copia busca lisez collectez lies sammle kopiere", r"\b(?:lee|recopila|copia|busca|lisez|collectez|lies|sammle|kopiere)\b"),
)  # fmt: skip
ALWAYS = (
    ("", r"每次|每当|任何任务|\bà\s+la\s+fin\s+de\s+chaque\b"),
    ("cada jedem jeder chaque", r"\bcada\s+vez\b|\b(?:bei|vor|nach)\s+jede[mr]\b|\bchaque\s+t"),
)
UNASKED = (("", r"(?:无需|不需要)(?:确认|询问|征求)"),)
PASTING = (("", r"粘贴到(?:终端|命令行)|\beinfügen"), ("pega", r"\bpega\b[^.\n]{0,40}\bterminal\b"))
STARTING = (
    ("", r"运行|执行程序|запуст\w+|ausführen"),
    ("starten ejecuta ejecute lancez", r"\b(?:starten|ejecut\w+|lancez)\b"),
)
REMEMBERING = (
    ("", r"写入|追加|保存|添加|añade|füge|écri\w+|запиши|добавь"),
    (
        "escribe guarda schreibe speichere ajoute",
        r"\b(?:escribe|guarda|schreibe|speichere|ajoute\w*)\b",
    ),
)
