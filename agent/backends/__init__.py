"""What answers: choose.py makes a backend by its name; a language model behind an endpoint, or a log played back
(replay.py).

endpoint.py is what all endpoints share, over client.py (connections), bounds.py (of time and size) and options.py
(what can be said of a model). anthropic_backend.py and anthropic_request.py speak the Messages API, openai/ Chat
Completions and Responses. prices.py knows what a reply costs.
"""
