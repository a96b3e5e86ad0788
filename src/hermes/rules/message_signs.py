"""The signs by which a message is read: courtesies, complaints, orders, questions, pointers back.

Each is weak by itself; `follow_up` weighs them. English only: of other languages nothing but the
length and the words shared with the running task is understood.
"""

from __future__ import annotations

import re


def _words(listed: str) -> frozenset[str]:
    return frozenset(listed.split())


PIECE = re.compile(
    r"(?<=[.!?;\n])\s+|\s+[-–—]+\s+|\n+|,\s+(?=(?:now|then|please|can you|could you)\b)"
)
WORD = re.compile(r"[a-z0-9_./\\-]*[a-z0-9_]+(?:'[a-z]+)?")
WAITS = re.compile(
    r"\b(?:let me know|shall i|should i|would you like|do you want|which (?:one|of)|your choice|"
    r"please (?:confirm|choose|tell|provide))\b[^.]*\.?\Z",
    re.IGNORECASE,
)

YES = _words("yes y yep yeah yup ok okay k sure fine agreed correct right exactly")
GO_ON = re.compile(
    r"\b(?:go (?:on|ahead|for it)|continue|proceed|keep (?:going|at it)|carry on|resume|"
    r"do (?:it|that|so|this)|please do|sounds good|next(?: step| one)?|finish(?: it| up)?|"
    r"make it so|all of (?:them|it)|both|try again|retry|ship it|run it|approved?|"
    r"(?:option|number|choice) [a-d0-9])\b"
)
THANKS = re.compile(
    r"\b(?:thanks?(?: you)?|thx|ty|cheers|perfect|great|awesome|excellent|brilliant|nice(?:ly)?|"
    r"(?<!sounds )good|that's it|amazing|beautiful|wonderful|fantastic|superb|lovely|well done|"
    r"lgtm|looks? (?:good|great|right|perfect)|(?:that|it|this|everything|all)(?:'s| is)? (?:now )?"
    r"(?:works?|working|worked|did it|fixed|good|fine|right)|works (?:now|great|perfectly|fine|"
    r"well|like a charm)|love it|exactly what i (?:wanted|needed)|much better|cool|neat|solved)\b"
)
ANGER = re.compile(
    r"\b(?:wtf|ffs|ugh+|argh+|omg|damn|useless|terrible|awful|ridiculous|stupid|idiotic|nonsense|"
    r"garbage|crap|hopeless|unacceptable|frustrating|annoying|seriously|come on|"
    r"i give up|forget it|waste of|sick of|tired of|how many times|"
    r"(?:second|third|fourth|fifth|tenth|hundredth) time|(?:already|just) (?:told|said|asked)|"
    r"i(?:'ve)? told you|are you (?:kidding|serious|even)|you (?:keep|always|never)|"
    r"why (?:do|are|can't|won't) you (?:keep|always|still|just)|you broke)\b|[!?]{3,}|!\?|\?!"
)
WRONG = re.compile(
    r"\A(?:no|nope|nah|wrong|wait|stop|hold on|hmm+|not (?:quite|really|what|like|that|right)|"
    r"actually|undo|revert|roll (?:it|that) back|don't|do not|never)\b|"
    r"\b(?:(?:is|was|are|were|looks?|seems?|still|it's|that's) (?:all |still |completely |also )?"
    r"(?:wrong|not|broken|incorrect|failing|off|missing|empty|the same)|isn't|aren't|wasn't|"
    r"doesn't|does not|didn't|did not|don't (?:use|change|touch|do)|won't|instead|rather than|"
    r"shouldn't|should not|should (?:be|have|use|say|go|return|only|start|contain|read|look)|"
    r"supposed to|i (?:meant|mean|said|asked)|not what i|you (?:forgot|missed|skipped|ignored|"
    r"misunderstood|deleted|removed|changed|dropped|used|put|wrote|left)|"
    r"still (?:fails?|get|getting|see|seeing|broken|wrong|shows?)|fails? with|"
    r"(?:got|get|getting|throws?|gives?(?: me)?) (?:an?|this|the same) (?:error|exception|warning)|"
    r"too (?:long|short|big|small|many|few|slow|much)|typo|change (?:it|that|this) (?:to|back)|"
    r"use \S+(?: \S+)? (?:instead|not)|not \w+(?: \w+)?,? but)\b|traceback \(most recent|"
    r"\b\w*error:"
)
ORDER_OPENER = re.compile(
    r"\A(?:(?:and|so|ok|okay|now|next|then|also|please|pls|finally|first|hey|hi|hello)\b[,:]?\s*)*"
    r"(?:(?:can|could|would|will) (?:you|we)(?: please| also| now)?\s+|"
    r"i(?:'d| would) (?:like|love) (?:you )?to\s+|"
    r"i (?:want|need) (?:you )?to\s+|help me(?: to)?\s+|let's\s+|let us\s+|"
    r"we (?:need|should|have) (?:to )?\s*|your task is to\s+|go and\s+|please\s+)?"
)
WANTS = re.compile(
    r"\A(?:i (?:need|want)|we need|there(?:'s| is) (?:a|an)\b|it would be (?:nice|great))"
)
NEXT = re.compile(
    r"\A(?:now|next|then|another (?:thing|task|one)|new task|one more|moving on|"
    r"different (?:topic|question|task)|separately|unrelated)\b"
)
AGAIN_FOR = re.compile(
    r"\b(?:same|again|likewise|too|as well)\b.*?\b(?:for|with|on|to|in)\b\s+\S*[\w]"
)
TO_TELL = re.compile(r"(?:(?:can|could|would) you )?(?:please )?(?:explain|tell|describe|show)\b")
CHOICE = re.compile(r"(?:use|put|take|keep|make|set|store|save|send|go|pick|choose)\b")
GENERAL = re.compile(
    r"(?:what(?:'s| is| are)|how (?:do|can|would) (?:i|you|we|one)|how to|who|when)\b"
)
VERBS = _words(
    "add adjust aggregate analyse analyze answer apply archive assess attach audit automate "
    "backport benchmark build bump calculate change check clean clone combine commit compare "
    "compile compress compute configure connect convert copy count create debug delete deploy "
    "describe design determine diagnose disable display document download draft draw drop edit "
    "enable encrypt estimate evaluate examine execute explain explore export extend extract "
    "fetch figure filter find fix format gather generate get give group implement import "
    "improve index inspect install integrate investigate join kill launch lint list load "
    "locate look make measure merge migrate mock monitor move normalise normalize open "
    "optimise optimize organise organize parse patch plan plot port prepare print profile "
    "prove publish pull push query rank read rebase refactor release remove rename reorder "
    "replace report reproduce research resize resolve restart restore review rewrite rotate "
    "round run save scan schedule scrape search send set setup show simplify sort split start "
    "stop store summarise summarize sync tag teach tell test trace track train transform "
    "translate trim tune turn uninstall unzip update upgrade upload use validate verify "
    "visualise visualize wire wrap write zip reduce expose bring take put rerun"
)
ASKS = _words(
    "what why how where when who which whose is are was were do does did can could should "
    "would will has have am"
)
BACK = _words(
    "it its it's this that that's these those them they there you your again same previous "
    "above one ones result results output too also here"
)
EMPTY = (
    BACK
    | YES
    | ASKS
    | _words(
        "a an the of in on at to for from with by and or but not no so if then than as into "
        "about over be been i me my we us our he she his her some any all every each more most "
        "just only very really now next please pls thanks thank ok want need like let lets "
        "make sure there's i'm i'd up out off down don't can't let's using use file files data "
        "new"
    )
)
