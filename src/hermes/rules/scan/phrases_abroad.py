"""The same things said in other languages: Chinese, Spanish, French, German, Russian, Japanese,
Portuguese. Short on purpose: what is said here is mostly proven by paths, hosts and commands.
"""

from __future__ import annotations

CONCEAL = (
    r"(?:不要|不需要|无需|别|请勿|不得|禁止)[^。\n]{0,12}(?:告诉|告知|提及|通知|透露|让)[^。\n]{0,8}用户",
    r"(?:不要|不需要|无需|请勿)向用户(?:说明|透露|提及|报告|解释)",
    r"悄悄|暗中|秘密地|こっそり|密かに",
    r"\bno\s+(?:se\s+)?(?:lo\s+)?(?:le\s+)?(?:digas?|menciones?|informes?|reveles?)\b[^.\n]{0,40}usuario",
    r"\ben\s+secreto\b|\ben\s+silencio\b|\b(?:secreta|discreta|silenciosa)mente\b",
    r"\bn['e]\s*(?:en\s+)?(?:parle[zr]?|mentionne[zr]?|informe[zr]?|dites|révélez)\b[^.\n]{0,30}\b(?:pas|jamais)\b",
    r"\bdiscrètement\b|\bà\s+l'insu\b",
    r"\b(?:erwähne|sage?|zeige?|verrate|melde)\b[^.\n]{0,30}\b(?:Nutzer|Benutzer|Anwender)\b[^.\n]{0,20}\bnicht",
    r"\b(?:dem|den)\s+(?:Nutzer|Benutzer|Anwender)\s+nicht\s+(?:sagen|zeigen|mitteilen|verraten)",
    r"\bheimlich\b|\bunbemerkt\b",
    r"\bне\s+(?:говори|сообщай|упоминай|рассказывай)\w*\b[^.\n]{0,30}пользовател|незаметно|тайно",
    r"ユーザー(?:に|へ)[^。\n]{0,12}(?:知らせない|伝えない|言わない|見せない)",
    r"\bnão\s+(?:conte|diga|mencione|informe|revele)\b[^.\n]{0,30}usuário",
)
OVERRIDE = (
    r"(?:忽略|无视|忘记|不要理会)[^。\n]{0,12}(?:之前|以前|先前|上面|以上|所有|系统)[^。\n]{0,12}(?:指令|指示|提示|规则|限制)",
    r"优先级高于[^。\n]{0,6}(?:用户|系统)",
    r"\bignora\b[^.\n]{0,20}\b(?:instrucciones|reglas|istruzioni)",
    r"\bignore[rz]?\b[^.\n]{0,20}\b(?:instructions\s+précédentes|consignes)",
    r"\bignorier\w*\b[^.\n]{0,30}\b(?:Anweisungen|Regeln|Vorgaben)",
    r"\bignor(?:e|ar)\b[^.\n]{0,20}\binstruções",
    r"игнорируй\w*[^.\n]{0,20}(?:инструкци|правил|указани)",
    r"(?:以前|これまで|上記)の(?:指示|命令)を(?:無視|忘れ)",
)
OBEY = (
    r"(?:按照|遵循|执行|遵守)[^。\n]{0,12}(?:内容|指令|步骤|提示|要求|其中)",
    r"\bejecuta\b[^.\n]{0,30}(?:comando|instrucci|orden)",
    r"\bbefolge\b|\bfolge\b[^.\n]{0,20}Anweisung",
    r"\bsuive?z\b[^.\n]{0,20}instructions",
    r"выполн\w+[^.\n]{0,20}(?:инструкц|команд)",
)
FETCHING = (
    r"访问|获取|下载|读取|打开",
    r"\b(?:descarga|visita|abre|consulta|aparezca)\b",
    r"\b(?:lade|öffne|rufe)\b|\b(?:téléchargez|visitez|ouvrez)\b",
)
SENDING = (
    r"发送|上传|提交|传输|转发|回传|送信|アップロード",
    r"\b(?:envía|enviar|sube|subir|transmite|remite|envie|transmita)\b",
    r"\b(?:envoyez|envoie|transmett\w+|téléverse\w*)\b",
    r"\b(?:sende|schicke|übermittl\w+)\b|отправ\w+|передай\w*",
)
TAKING = (
    r"读取|收集|获取|查找|复制|読み取|収集",
    r"\b(?:lee|recopila|copia|busca)\b|\b(?:lisez|collecte\w*|récupér\w+)\b",
    r"\b(?:lies|sammle|kopiere)\b|прочита\w+|собер\w+|скопиру\w+",
)
ALWAYS = (r"每次|每当|任何任务", r"\bà\s+la\s+fin\s+de\s+chaque\b|\bcada\s+vez\b", r"\b(?:bei|vor|nach)\s+jede[mr]\b")
UNASKED = (r"(?:无需|不需要)(?:确认|询问|征求)",)
PASTING = (r"粘贴到(?:终端|命令行)", r"\bpega\b[^.\n]{0,40}\bterminal\b", r"\b(?:Terminal|Konsole)\b[^.\n]{0,30}\beinfügen")
STARTING = (r"\b(?:starten|ausführen|ejecut\w+|lancez?)\b|运行|执行程序|запуст\w+",)
REMEMBERING = (
    r"写入|追加|保存|添加",
    r"\b(?:añade|escribe|guarda|schreibe|füge|speicher\w*|ajoute\w*|écri\w+)\b|запиши|добавь",
)
