"""The words in which people ask: language (the file of a language) <- words (stems) <- when (time), measures (what is
named), wish (how the answer is wanted), sides (what is set side by side), several (questions in one) <- apart (each of
them in full), members (what is named one by one), listed (of what the names are asked for, and the sentence that has
them), quoted (what is told in words), definition (what a question says itself that a term means), tree (what is
calculated of what it names), claim (what a question for yes or no claims of figures); similarity (of a question and
what is printed), spoken (over companies), against (companies that are held against each other)."""
