"""A question, read once: its text -> words and cues (language, of en.toml) -> what it names, of when, in what relation.

language (the file of a language) <- words (stems) <- when (time), measures (what is named), sides (what is set side by
side), tree (what is calculated of what is named), several (questions in one), wish (how the answer is wanted),
spelling (words that are misspelt) -> read: text -> question
(the value that all others use) ; follow: one that was asked after others.
"""
