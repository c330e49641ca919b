"""What answers: choose.py makes a backend by its name; a language model over the Messages API, or a log played back.

batch.py sends requests that do not wait for each other together; prices.py knows what a reply costs.
"""
