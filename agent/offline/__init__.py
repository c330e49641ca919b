"""Answering without a language model: question -> operands -> calculation -> ranking -> answer.

operands/     which of the figures that are shown a question may mean, and what the conversation before has to offer
calculation/  what can be made of them: look-ups, sums, rates, lists, words
ranking/      which of what is possible is likeliest, and how likely it is right
answer/       the calls that give an answer, or the question back
companies/    the same over several filings: measures of companies by fiscal year
backend.py    the way through
"""
