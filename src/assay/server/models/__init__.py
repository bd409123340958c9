"""Requests and answers of the service, as its OpenAPI describes them."""
