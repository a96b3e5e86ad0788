"""Turns of phrase that say whether a task recurs, branches, fails, or stays vague."""

from __future__ import annotations

import re

_PERIOD = (
    r"(?:second|minute|hour|day|night|morning|afternoon|evening|week(?:day|end)?|month|quarter|"
    r"year|sprint|release|commit|push|merge|deploy(?:ment)?|build|shift|semester|"
    r"(?:mon|tues|wednes|thurs|fri|satur|sun)day)"
)
CADENCE = re.compile(
    rf"\b(?:(?:each|every|per)\s+(?:\w+\s+){{0,2}}?{_PERIOD}s?|"
    r"hourly|daily|nightly|(?:bi-?)?weekly|fortnightly|(?:bi-?)?monthly|quarterly|yearly|"
    r"annual(?:ly)?|(?:each|every)\s+time|whenever|recurring|periodic(?:ally)?|regularly|routinely|"
    r"on a schedule|cron|month[- ]end|end of (?:the|each|every) \w+|"
    r"(?:mon|tues|wednes|thurs|fri|satur|sun)days|after (?:each|every))\b",
    re.IGNORECASE,
)
BATCH = re.compile(
    r"\b(?:for|in|of|from|to)\s+(?:each|every|any)\b|"
    r"\b(?:each|every|any)\s+(?:\w+\s+){0,2}"
    r"(?:file|folder|row|record|customer|user|page|image|photo|invoice|order|repo\w*|ticket|table|"
    r"video|request|account|product|branch|service|new \w+)s?\b|\bgiven (?:a|an|any)\b|"
    r"\ball (?:the |of the |new |open |my |our )?[\w-]+s\b|\*\.\w+|"
    r"[{<\[]\w+[}>\]]|\bnew(?:ly)? [\w-]+s\b",
    re.IGNORECASE,
)
ONE_OFF = re.compile(
    r"\b(?:one[- ](?:time|off|shot)|(?:just|only|this) once|single time|for (?:today|now) only|"
    r"(?:just|only) (?:today|this time)|never again|throw[- ]?away)\b",
    re.IGNORECASE,
)
SOURCE = re.compile(
    r"\b(?:from|in|inside|under|at|of|using|with|out of|against)\s+(?:\S+\s+){0,3}?\S|"
    r"(?<!\S)[\w~.-]{0,80}/[\w./-]|\b[\w-]{1,80}\.(?:[a-z]{2,4}|jsonl|parquet)\b",
    re.IGNORECASE,
)
SINK = re.compile(
    r"\b(?:to|into|as|onto)\s+(?:\S+\s+){0,3}?\S|\b(?:export|save|publish|send|email|mail|upload|"
    r"post|write|store|archive|notify|generate|produce|attach|deploy|push)\b",
    re.IGNORECASE,
)
QUANTITY = re.compile(
    r"(?<![\w.])[-+<>=≤≥]*\s?\d+(?:[.,]\d+)*\s?%?|\b(?:two|three|four|five|six|seven|eight|nine|ten|"
    r"top|first|last|latest|most recent|largest|smallest|older than|at least|at most|more than|"
    r"less than|fewer than|below|above|by (?:\w+\s){0,2}(?:region|month|week|day|name|date|size|"
    r"category|type|status|owner|team|product|customer|author|country))\b|\"[^\"]+\"|'[^']+'|`[^`]+`",
    re.IGNORECASE,
)
VAGUE = re.compile(
    r"\b(?:this|that|it|these|those|stuff|things?|something|anything|everything|somehow|some way|"
    r"better|nicer?|good|cool|great|best|proper(?:ly)?|whatever|etc|and so on|a bit|kind of|"
    r"maybe)\b",
    re.IGNORECASE,
)
_FAULT = (
    r"(?:fail\w*|missing|absent|unavailable|unreachable|down|offline|broken|corrupt\w*|malformed|"
    r"invalid|empty|time[sd]?[- ]?out\w*|timeout|error\w*|reject\w*|denied|exceed\w*|locked|stale|"
    r"rate[- ]limit\w*|(?:not|n't|cannot|can't|isn't|doesn't) (?:\w+ )?(?:exist|found|there|"
    r"reach\w*|respond\w*|available|parse\w*|match\w*|open\w*|load\w*|work\w*|arrive\w*|present)|"
    r"unreadable|lost|lag\w*|crash\w*|conflict\w*|no (?:data|rows|file|response|network|answer|"
    r"result)s?)"
)
FAILURE = re.compile(
    r"\b(?:if|when|whenever|in case|unless|should|where|that|which|and|or|because)\b"
    rf"[^.;\n]{{0,60}}?\b{_FAULT}\b|"
    rf"\b(?:might|may|could|can|sometimes|occasionally|often)\s+(?:\w+\s+){{0,2}}?{_FAULT}\b|"
    r"\b(?:retry|retries|retrying|fall(?:s|ing)? ?back|fallback|back ?off|on (?:failure|error)|"
    r"roll ?back|resume|gracefully|dead[- ]letter|quarantine)\b|"
    r"\b(?:skip|ignore|report|log|flag|drop|set aside|handle|tolerate|catch)\w*\s+(?:\w+\s+){0,3}?"
    rf"{_FAULT}",
    re.IGNORECASE,
)
BRANCH = re.compile(
    r"\b(?:otherwise|else|unless|depending on|except (?:when|for)|in which case)\b|"
    r"\b(?:if|when|only if|as soon as|where)\b[^.;\n]{0,60}?(?:[<>=≤≥]|\b(?:below|above|over|"
    r"under|more than|less than|fewer than|exceed\w*|drop\w*|rise\w*|chang\w*|differ\w*|"
    r"at least|older|newer|negative|any|there (?:is|are)|has|have|is)\b)|"
    r"\b(?:report|list|put|move|leave|mark|note|flag|skip|set aside|keep)\w*\s+(?:\w+\s+){0,3}?"
    r"(?:that|which|whose|without|with no)\b",
    re.IGNORECASE,
)
CHECKING = re.compile(
    r"\b(?:validat\w*|verif\w*|check(?:s|ing)? (?:that|whether|if|the|for|each|every)|make sure|"
    r"ensure\w*|assert\w*|sanity|reconcile\w*|cross-?check\w*|"
    r"test(?:s|ing)? (?:that|whether|before|pass\w*))\b",
    re.IGNORECASE,
)
CERTAIN = re.compile(
    r"\b(?:(?:fully |purely |completely )?deterministic|cannot fail|can't fail|never fails|"
    r"always the same|nothing can go wrong)\b",
    re.IGNORECASE,
)
