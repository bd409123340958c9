"""Where requests of a service may lead: nowhere but to what its administrator listed."""

import socket
from ipaddress import ip_address

import pytest

from assay.errors import InputError
from assay.http.addresses import is_forbidden, is_loopback, parse_address
from assay.http.connections import Connections, HttpRequest, parse_server
from assay.http.targets import refuse_target

METADATA = "169.254.169.254"
ALLOWED = ("http://search.example.org/api", "https://other.example.org:9200", "http://127.0.0.1:80")


@pytest.fixture
def names(monkeypatch):
    """Names and where they lead; nothing else is known, and no DNS is asked."""
    known = {"search.example.org": ["10.1.2.3"], "other.example.org": ["192.0.2.7"]}
    real = socket.getaddrinfo

    def found(host, port, *others, **named):
        if host not in known:
            return real(host, port, *others, **{**named, "flags": socket.AI_NUMERICHOST})
        return [entry for one in known[host] for entry in real(one, port, *others, **named)]

    monkeypatch.setattr(socket, "getaddrinfo", found)
    return known


@pytest.mark.parametrize(
    "url",
    [
        "http://search.example.org/api",
        "http://SEARCH.example.org:80/api/v1/_search?q={query}",
        "http://search.example.org/api/{query.language:-en}/{query}",
        "https://other.example.org:9200",
        "https://other.example.org:9200/any/where",
        "http://127.0.0.1/x",
    ],
)
def test_what_is_listed_is_allowed(names, url):
    refuse_target(url, allowed=ALLOWED)


@pytest.mark.parametrize(
    "url",
    [
        "http://search.example.org",
        "http://search.example.org/apis",
        "http://search.example.org/api{query}",
        "http://search.example.org:81/api",
        "https://search.example.org/api",
        "http://search.example.org.evil.example/api",
        "http://search.example.org@evil.example/api",
        "http://search.example.org#@evil.example/api",
        "http://evil.example/http://search.example.org/api",
        "http://user:secret@search.example.org/api",
        "http://search.example.org/api/../admin",
        "http://search.example.org/api/./../admin",
        "http://search.example.org/api/%2e%2e/admin",
        "http://search.example.org/api/%252e%252e/admin",
        "http://search.example.org/api/%25252e%25252e/admin",
        "http://search.example.org/api/..%2fadmin",
        "http://search.example.org/api/..;/admin",
        "http://search.example.org/api/..;x=1/admin",
        "http://search.example.org/api/.{query.none:-}./admin",
        "http://search.example.org/api/.{query.none:-{}}./admin",
        "http://search.example.org/api/.{query.none:-?}./admin",
        "http://search.example.org/api\\..\\admin",
        "http://search.example.org\\@evil.example/api",
        "http://{query}/api",
        "http://search.example.org{query}/api",
        "http://search.example.org/api\r\nHost: evil.example",
        "http://search.example.org/ api",
        "http://sеarch.example.org/api",
        "ftp://search.example.org/api",
        "file:///etc/passwd",
        "//search.example.org/api",
        "search.example.org/api",
        "http://",
        "http://[::1",
        "http://search.example.org:99999/api",
        "",
    ],
)
def test_whatever_only_looks_like_it_is_refused(names, url):
    with pytest.raises(InputError) as caught:
        refuse_target(url, allowed=ALLOWED)
    assert "secret" not in str(caught.value)


SPELLINGS = [
    METADATA,
    "2852039166",  # one number
    "0xa9fea9fe",
    "0xA9.0xFE.0xA9.0xFE",
    "0251.0376.0251.0376",  # octal
    "169.254.43518",  # the last two bytes as one number
    "169.16689662",
    "[::ffff:169.254.169.254]",
    "[::ffff:a9fe:a9fe]",
    "[::169.254.169.254]",
    "[64:ff9b::a9fe:a9fe]",  # NAT64
    "[2002:a9fe:a9fe::1]",  # 6to4
    "[fe80::1]",
    "[fd00:ec2::254]",
    "168.63.129.16",
    "100.100.100.200",
    "169.254.170.2",
    "0.0.0.0",
    "0",
    "[::]",
    "224.0.0.1",
    "[ff02::1]",
    "255.255.255.255",
]


@pytest.mark.parametrize("host", SPELLINGS)
def test_no_spelling_of_a_metadata_service_is_allowed_even_if_it_is_listed(names, host):
    with pytest.raises(InputError, match="forbidden address"):
        refuse_target(f"http://{host}/latest/meta-data", allowed=[f"http://{host}"])


@pytest.mark.parametrize("address", [METADATA, "::ffff:169.254.1.1", "fe80::1", "fd00:ec2::254"])
def test_a_name_must_not_lead_to_a_metadata_service(names, address):
    """Also one of several addresses: who connects may take any of them."""
    names["search.example.org"] = ["10.1.2.3", address]
    with pytest.raises(InputError, match="forbidden address"):
        refuse_target("http://search.example.org/api", allowed=ALLOWED)


@pytest.mark.parametrize("address", ["127.0.0.1", "127.9.9.9", "::1", "::ffff:127.0.0.1"])
def test_a_name_must_not_lead_to_this_machine(names, address):
    names["search.example.org"] = [address]
    with pytest.raises(InputError, match="leads to this machine"):
        refuse_target("http://search.example.org/api", allowed=ALLOWED)


def test_a_name_that_nobody_knows_is_refused(names):
    del names["search.example.org"]
    with pytest.raises(InputError, match="unknown host"):
        refuse_target("http://search.example.org/api", allowed=ALLOWED)


def test_a_name_that_leads_elsewhere_after_the_check_is_not_asked(names, monkeypatch):
    """The address that is connected to is looked at again: DNS may answer differently then."""
    refuse_target("http://search.example.org/api", allowed=ALLOWED)
    sent = []

    class Connected:
        def getpeername(self):
            return (METADATA, 80)

        def close(self):
            sent.append("closed")

        def sendall(self, data):
            sent.append(data)

    monkeypatch.setattr(socket, "create_connection", lambda *_, **__: Connected())
    server = parse_server("http://search.example.org/api")
    connections = Connections(server, timeout_s=1, largest=1000)
    with pytest.raises(InputError, match="forbidden address"):
        connections.ask(HttpRequest("GET", "/latest/meta-data", {}))
    assert sent == ["closed"]


@pytest.mark.parametrize("one", ["10.0.0.1", "192.168.1.1", "93.184.216.34", "2606:4700::1111"])
def test_private_and_public_addresses_are_left_to_the_administrator(one):
    assert not is_forbidden(ip_address(one))
    assert not is_loopback(ip_address(one))


def test_an_address_may_have_a_zone():
    assert is_forbidden(parse_address("fe80::1%eth0"))
    assert parse_address("search.example.org") is None
