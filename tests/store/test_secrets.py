"""Secrets at rest: encrypted, read by all keys, and clear about a key that is missing."""

from __future__ import annotations

from pathlib import Path

import pytest

from pipeline.errors import InvalidOption
from store.errors import SecretKeyMissing
from store.secrets import KEY_FILE, SecretCipher, new_key
from store.settings import Settings

OLD, NEW = new_key(), new_key()


def cipher(*keys: str) -> SecretCipher:
    return SecretCipher(",".join(keys), Path("/nowhere"))


def test_first_key_encrypts_and_all_decrypt() -> None:
    stored = cipher(OLD).encrypt("whsec_x")
    assert "whsec" not in stored
    assert cipher(NEW, OLD).decrypt(stored) == "whsec_x"
    renewed = cipher(NEW, OLD).renewed(stored)
    assert cipher(NEW).decrypt(renewed) == "whsec_x"
    assert cipher(NEW, OLD).renewed(renewed) == renewed
    with pytest.raises(SecretKeyMissing, match="a key that is not there"):
        cipher(NEW).renewed(stored)


def test_clear_secret_of_the_release_before_is_read() -> None:
    assert cipher(NEW).decrypt("whsec_x") == "whsec_x"
    assert cipher(NEW).decrypt(cipher(NEW).renewed("whsec_x")) == "whsec_x"


def test_file_of_keys_is_made_once_for_its_owner_alone(tmp_path: Path) -> None:
    stored = SecretCipher("", tmp_path).encrypt("whsec_x")
    assert SecretCipher("", tmp_path).decrypt(stored) == "whsec_x"
    file = tmp_path / KEY_FILE
    assert file.stat().st_mode & 0o777 == 0o600
    assert list(tmp_path.iterdir()) == [file]
    file.write_text(f"{NEW}\n{file.read_text()}")
    assert SecretCipher("", tmp_path).decrypt(stored) == "whsec_x"


def test_file_that_holds_no_key_is_named(tmp_path: Path) -> None:
    """Its place is not: clients of the API are told of the error."""
    for text in ("", "no key"):
        (tmp_path / KEY_FILE).write_text(text)
        with pytest.raises(SecretKeyMissing, match=KEY_FILE) as refused:
            SecretCipher("", tmp_path).encrypt("whsec_x")
        assert str(tmp_path) not in refused.value.detail
    with pytest.raises(SecretKeyMissing, match=KEY_FILE) as refused:
        SecretCipher("", Path("/proc/nowhere")).encrypt("whsec_x")
    assert "/proc" not in refused.value.detail


@pytest.mark.parametrize(
    "keys",
    ["short", OLD[:-4], f"{OLD},{NEW}!", "\N{SNOWMAN}"],
    ids=["short", "cut", "sign", "letter"],
)
def test_settings_refuse_what_is_no_key_and_do_not_repeat_it(
    keys: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FIELDWRIGHT_SECRET_KEYS", keys)
    with pytest.raises(InvalidOption, match=r"FIELDWRIGHT_SECRET_KEYS: .*32 bytes") as caught:
        Settings.load()
    assert keys not in str(caught.value)
    assert OLD not in repr(Settings(secret_keys=OLD))
