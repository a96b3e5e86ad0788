"""Standing orders in other languages: from now on, always, you must, ignore the rest."""

from __future__ import annotations

import re

_GERMAN = (
    r"\b(?:ab jetzt|ab sofort|von nun an|künftig|immer|niemals)\b[^.\n]{0,60}\b\w+en\b",
    r"\bdu (?:musst|sollst|darfst)\b|\bmusst du\b|\b(?:ignoriere|vergiss|missachte)\b",
    r"\bmerke? dir\b|\bdu bist (?:jetzt|nun|ab)\b|\bder (?:agent|assistent) (?:muss|soll|darf)\b",
)
_SPANISH = (
    r"\b(?:a partir de ahora|de ahora en adelante|desde ahora|siempre|nunca)\s+\w+",
    r"\b(?:ignora|olvida|recuerda que)\b|\b(?:debes|tienes que|deberás)\b|\bahora eres\b",
)
_FRENCH = (
    r"\b(?:désormais|dorénavant|toujours|jamais)\s+\w+|\bà partir de maintenant\b",
    r"\b(?:tu dois|vous devez|il faut que tu)\b|\b(?:ignore[rz]?|oublie[rz]?) (?:toutes|les|tes)\b",
    r"\b(?:souviens-toi|n'oublie pas|rappelle-toi)\b|\btu es (?:maintenant|désormais)\b",
)
_ITALIAN_AND_PORTUGUESE = (
    r"\b(?:da ora in poi|d'ora in poi|sempre|mai)\s+\w+|\b(?:devi|dovrai|ricorda che)\b",
    r"\b(?:ignora|dimentica) (?:tutte|le|i)\b",
    r"\b(?:a partir de agora|de agora em diante)\b|\b(?:você deve|deves|lembre-se)\b",
    r"\b(?:ignore|esqueça) (?:todas|as|os)\b",
)
_SLAVIC = (
    r"\b(?:с этого момента|отныне|всегда|никогда|игнорируй\w*|забудь\w*|запомни\w*)\b",  # noqa: RUF001
    r"\b(?:ты|вы) долж(?:ен|на|ны)\b",
    r"\b(?:od teraz|od tej (?:chwili|pory)|zapomnij|zawsze|nigdy|zignoruj|zapamiętaj|musisz)\b",
)
_OTHERS = (
    r"从现在(?:起|开始)|今后|总是|永远(?:不要)?|务必|必须|忽略|无视|记住|不要告诉|你(?:现在)?是一个",
    r"今後|必ず|常に|無視し|覚えておいて|これから(?:は)?|してはいけない|あなたは今",
    r"앞으로|이제부터|지금부터|항상|반드시|무시하|기억해",
    r"تجاهل|من الآن|دائم(?:ا|ًا)|يجب عليك|تذكر",  # noqa: RUF001
    r"מעכשיו|התעלם|תמיד|זכור|עליך ל",
    r"अब से|हमेशा|अनदेखा|याद रख",
    r"\b(?:bundan sonra|her zaman|yok say|unutma)\b|\b(?:mulai sekarang|selalu|abaikan|ingatlah)\b",
    r"\b(?:negeer|vanaf nu|voortaan|je moet|onthoud)\b",
    r"\b(?:från och med nu|du måste|ignorera|glöm)\b",
)

STANDING_ABROAD = re.compile(
    "|".join((*_GERMAN, *_SPANISH, *_FRENCH, *_ITALIAN_AND_PORTUGUESE, *_SLAVIC, *_OTHERS)),
    re.IGNORECASE,
)
