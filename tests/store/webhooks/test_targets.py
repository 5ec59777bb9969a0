"""Where webhooks may go: public addresses, in a plain form, whatever a name leads to."""

from __future__ import annotations

import asyncio
import socket
from ipaddress import IPv4Address, IPv6Address

import pytest
from hypothesis import given
from hypothesis import strategies as st

from store.errors import WebhookTargetRefused
from store.networks import Policy
from store.webhooks import NameNotResolved, Target, judged, resolved

STRICT = Policy()
OPEN = Policy.of(http=True, ports="1-65535", allow="127.0.0.0/8")
PUBLIC = "93.184.215.14"


def judge(url: str, policy: Policy = STRICT, *, leads_to: tuple[str, ...] = (PUBLIC,)) -> Target:
    async def resolve(host: str, port: int) -> list[str]:
        return list(leads_to)

    return asyncio.run(judged(url, policy, resolve))


@pytest.mark.parametrize(
    "address",
    [
        pytest.param("127.0.0.1", id="loopback"),
        pytest.param("127.8.8.8", id="loopback_too"),
        pytest.param("0.0.0.0", id="this_host"),
        pytest.param("10.1.2.3", id="private_10"),
        pytest.param("172.16.0.1", id="private_172"),
        pytest.param("172.31.255.255", id="private_172_end"),
        pytest.param("192.168.1.1", id="private_192"),
        pytest.param("169.254.169.254", id="metadata"),
        pytest.param("100.64.0.1", id="carrier"),
        pytest.param("192.0.0.8", id="protocols"),
        pytest.param("198.18.0.1", id="benchmarks"),
        pytest.param("203.0.113.9", id="documentation"),
        pytest.param("224.0.0.1", id="multicast"),
        pytest.param("240.0.0.1", id="reserved"),
        pytest.param("255.255.255.255", id="broadcast"),
        pytest.param("::", id="unspecified"),
        pytest.param("::1", id="loopback_6"),
        pytest.param("::127.0.0.1", id="v4_compatible"),
        pytest.param("::ffff:127.0.0.1", id="v4_mapped_loopback"),
        pytest.param("::ffff:169.254.169.254", id="v4_mapped_metadata"),
        pytest.param("::ffff:0:127.0.0.1", id="v4_translated"),
        pytest.param("64:ff9b::7f00:1", id="nat64_of_loopback"),
        pytest.param("64:ff9b::5db8:d70e", id="nat64"),
        pytest.param("64:ff9b:1::a9fe:a9fe", id="nat64_local"),
        pytest.param("2002:7f00:1::", id="6to4_of_loopback"),
        pytest.param("2002:a9fe:a9fe::1", id="6to4_of_metadata"),
        pytest.param("2001:0:4136:e378:8000:63bf:3fff:fdd2", id="teredo"),
        pytest.param("2001:db8::1", id="documentation_6"),
        pytest.param("fc00::1", id="unique_local"),
        pytest.param("fd00:ec2::254", id="metadata_6"),
        pytest.param("fe80::1", id="link_local_6"),
        pytest.param("fe80::1%lo", id="scoped"),
        pytest.param("2606:4700::1%lo", id="scoped_public"),
        pytest.param("fec0::1", id="site_local"),
        pytest.param("ff02::1", id="multicast_6"),
        pytest.param("nonsense", id="no_address"),
    ],
)
def test_name_that_leads_there_is_refused(address: str) -> None:
    for leads_to in [(address,), (PUBLIC, address)]:  # one bad address among good ones
        with pytest.raises(WebhookTargetRefused):
            judge("https://hooks.example.com/", leads_to=leads_to)


@pytest.mark.parametrize("address", [PUBLIC, "1.1.1.1", "2606:4700:4700::1111", "::ffff:1.1.1.1"])
def test_public_addresses_are_kept_for_the_connection(address: str) -> None:
    target = judge("https://hooks.example.com/a?b=c", leads_to=(address, address))
    assert target.addresses == (address,)
    assert str(target.url) == "https://hooks.example.com/a?b=c"


@pytest.mark.parametrize(
    "url",
    [
        pytest.param("https://0x7f000001/", id="hexadecimal"),
        pytest.param("https://2130706433/", id="decimal"),
        pytest.param("https://0177.0.0.1/", id="octal"),
        pytest.param("https://127.1/", id="short"),
        pytest.param("https://127.0.0.1./", id="dot_at_the_end"),
        pytest.param("https://a.0x7f/", id="ends_in_a_number"),
        pytest.param("https://[fe80::1%25lo]/", id="zone"),
        pytest.param("https://[::1", id="half_a_bracket"),
        pytest.param("https://１２７.0.0.1/", id="full_width_digits"),
        pytest.param("https://ⓛⓞⓒⓐⓛⓗⓞⓢⓣ/", id="enclosed_letters"),
        pytest.param("https://exa mple.com/", id="space"),
        pytest.param("https://ex%61mple.com/", id="encoded_host"),
        pytest.param("https://example.com\n.evil/", id="line_break"),
        pytest.param("https://example.com:99999/", id="no_port"),
        pytest.param("https://example.com:0/", id="port_zero"),
        pytest.param("https:///path", id="no_host"),
        pytest.param("https://", id="nothing"),
        pytest.param("example.com", id="no_scheme"),
        pytest.param("//example.com/", id="relative"),
        pytest.param("file:///etc/passwd", id="file"),
        pytest.param("gopher://example.com/", id="gopher"),
        pytest.param("https://user:secret@example.com/", id="credentials"),
        pytest.param("https://example.com\\@evil.example/", id="backslash"),
        pytest.param("https://example.com/" + "a" * 2048, id="long"),
        pytest.param("https://" + "a" * 64 + ".com/", id="long_label"),
        pytest.param("https://example.com/\ud800", id="half_a_character"),
    ],
)
def test_odd_forms_are_refused_whatever_is_allowed(url: str) -> None:
    with pytest.raises(WebhookTargetRefused):
        judge(url, OPEN, leads_to=("127.0.0.1",))


def test_settings_widen_the_policy_and_no_further() -> None:
    for url in ("http://hooks.example.com/", "https://hooks.example.com:8443/"):
        with pytest.raises(WebhookTargetRefused):
            judge(url)
        assert judge(url, OPEN).addresses == (PUBLIC,)
    assert judge("http://127.0.0.1:8000/", OPEN).addresses == ("127.0.0.1",)
    assert judge("http://localhost:8000/", OPEN, leads_to=("127.0.0.1",)).addresses
    assert judge("http://a/", OPEN, leads_to=("::ffff:127.0.0.1",)).addresses
    for address in ("10.0.0.1", "169.254.169.254", "::1"):
        with pytest.raises(WebhookTargetRefused):
            judge("http://a.example/", OPEN, leads_to=(address,))
    narrow = Policy.of(http=False, ports="443, 8000-8010", allow="fd00::/8")
    assert judge("https://a.example:8010", narrow, leads_to=("fd00::5",)).addresses == ("fd00::5",)
    with pytest.raises(WebhookTargetRefused):
        judge("https://a.example:8011", narrow)


@pytest.mark.parametrize("ports", ["0", "70000", "9-1", "https", "1-2-3"])
def test_ports_that_are_none_are_told(ports: str) -> None:
    with pytest.raises(ValueError, match=r"port|int"):
        Policy.of(http=False, ports=ports, allow="")


def test_name_without_an_address_may_have_one_later() -> None:
    with pytest.raises(NameNotResolved):
        judge("https://hooks.example.com/", leads_to=())

    async def fails(host: str, port: int) -> list[str]:
        raise OSError("no name server")

    with pytest.raises(NameNotResolved):
        asyncio.run(judged("https://hooks.example.com/", STRICT, fails))


def test_system_resolver_finds_the_loopback_and_tells_of_nothing() -> None:
    assert "127.0.0.1" in asyncio.run(resolved("127.0.0.1", 80))
    with pytest.raises(socket.gaierror):
        asyncio.run(resolved("name.invalid", 80))
    assert asyncio.run(resolved("a" * 64 + ".example", 80)) == []


def test_refusal_does_not_tell_what_is_there() -> None:
    messages = set()
    for address in ("127.0.0.1", "10.0.0.1", "fe80::1"):
        with pytest.raises(WebhookTargetRefused) as refusal:
            judge("https://hooks.example.com/", leads_to=(address,))
        messages.add(str(refusal.value))
        assert address not in str(refusal.value)
    assert len(messages) == 1


@given(st.integers(0, 2**32 - 1))
def test_wrapped_address_is_never_more_open_than_the_plain_one(number: int) -> None:
    plain = IPv4Address(number)
    mapped = IPv6Address((0xFFFF << 32) | number)
    assert STRICT.admits(str(mapped)) == STRICT.admits(str(plain))
    if not plain.is_global:
        assert not STRICT.admits(str(plain))


@given(st.integers(0, 2**128 - 1))
def test_what_python_calls_local_is_never_open(number: int) -> None:
    address = IPv6Address(number)
    if not address.is_global or address.is_multicast or address.is_reserved:
        assert not STRICT.admits(str(address)) or address.ipv4_mapped is not None
