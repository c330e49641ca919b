"""`openai:<model>`: backend.py asks; chat.py and responses.py are two ways of speaking, over what request.py has."""
