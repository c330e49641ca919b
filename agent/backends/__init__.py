"""What answers: choose.py makes a backend by its name; a language model behind an endpoint, or a log played back.

endpoint.py is what all endpoints share; anthropic_* speak the Messages API, openai_* Chat Completions and Responses.

batch.py sends requests that do not wait for each other together; prices.py knows what a reply costs.
"""
