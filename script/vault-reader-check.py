"""Opens vaults with only docs/vault-format.md and PyNaCl, and compares their contents.

    vault-reader-check.py DIRECTORY...

A directory contains the vault in `vault` and the expected contents in `expected.json`:
    records    name of a record: its content in hexadecimal
    keys       kind of slot: the file with its key (a passphrase's file is the passphrase)
    machineID  32 hexadecimal digits, or an empty string
Each slot of the vault must open with its key alone. No code is shared with the Swift sources.
"""

import json
import pathlib
import sys

import nacl.bindings as sodium
from nacl.exceptions import CryptoError

KINDS = {1: "key file", 2: "passphrase", 3: "systemd credential"}


class Refused(Exception):
    """Input that the page says a reader must refuse."""


def require(holds, words):
    if not holds:
        raise Refused(words)


class Reader:
    """Reads fields in order, little-endian."""

    def __init__(self, data):
        self.data, self.offset = data, 0

    def take(self, count):
        require(self.offset + count <= len(self.data), "the bytes end within a field")
        self.offset += count
        return self.data[self.offset - count : self.offset]

    def number(self, size):
        return int.from_bytes(self.take(size), "little")


def hash_of(data, key=b""):
    return sodium.crypto_generichash_blake2b_salt_personal(data, digest_size=32, key=key)


def kdf(key, context, number):
    salt = number.to_bytes(8, "little") + bytes(8)
    return sodium.crypto_generichash_blake2b_salt_personal(
        b"", digest_size=32, key=key, salt=salt, person=context + bytes(8)
    )


def aead_open(key, nonce, context, sealed):
    """Returns the plaintext, or None."""
    try:
        return sodium.crypto_aead_xchacha20poly1305_ietf_decrypt(sealed, context, nonce, key)
    except CryptoError:
        return None


def u32(number):
    return number.to_bytes(4, "little")


class Slot:
    def __init__(self, reader):
        self.kind = reader.number(1)
        self.id = reader.take(16)
        self.payload = reader.take(reader.number(2))

    def unwrap(self, secret, vault_id):
        """Returns the master key, or None."""
        parameters, nonce, wrapped = self.payload[:-72], self.payload[-72:-48], self.payload[-48:]
        context = b"RITVAULT" + u32(1) + vault_id + bytes([self.kind]) + self.id + parameters
        return aead_open(self.wrapping_key(secret, parameters), nonce, context, wrapped)

    def wrapping_key(self, secret, parameters):
        if self.kind == 1:
            line = secret.decode("ascii").removesuffix("\n")
            require(line.startswith("RITVAULT-KEY-1:") and len(line) == 79, "no key file")
            return kdf(bytes.fromhex(line[15:]), b"RitKeyFl", 1)
        if self.kind == 3:
            require(32 <= len(secret) <= 4096, "no credential")
            return kdf(hash_of(secret), b"RitCredn", 1)
        require(1 <= len(secret) <= 1024, "no passphrase")
        fields = Reader(parameters)
        algorithm, passes, memory, salt = fields.number(1), fields.number(4), fields.number(8), fields.take(16)
        require(algorithm == 2 and passes <= 10 and memory <= 1 << 30, "a cost out of bounds")
        return kdf(sodium.crypto_pwhash_alg(32, secret, salt, passes, memory, 2), b"RitPassw", 1)


class Header:
    def __init__(self, data):
        require(hash_of(data[:-32]) == data[-32:], "the header's checksum does not match")
        reader = Reader(data[:-32])
        require(reader.take(8) == b"RITVAULT", "no header")
        self.version = reader.number(4)
        require(self.version in (1, 2, 3), f"header version {self.version}")
        self.vault_id = reader.take(16)
        self.generation = reader.number(8)
        self.machine = reader.take(32) if self.version >= 2 else None
        self.slots = [Slot(reader) for _ in range(reader.number(2))]
        self.context = data[: reader.offset]
        self.nonce = reader.take(24)
        self.sealed = reader.take(49 if self.version >= 2 else 32)
        require(reader.offset == len(data) - 32, "something follows the sealed part")

    def open(self, master):
        """Checks the header; returns the previous master key while a rekey is in progress, else
        None."""
        plain = aead_open(kdf(master, b"RitVault", 1), self.nonce, self.context, self.sealed)
        require(plain is not None, "the sealed part does not open")
        if self.version == 1:
            self.machine_id = plain
            return None
        require(plain[0] in (0, 1), "the sealed part is not what the page says")
        return plain[1:] if plain[0] else None

    def check_machine(self, machine_id):
        if self.version == 1:
            require(self.machine_id == (machine_id or bytes(16)), "another machine")
        else:
            expected = hash_of(b"RITMACHN" + self.vault_id + machine_id) if machine_id else bytes(32)
            require(self.machine == expected, "another machine")


def copies_of(file, version):
    """Returns both copies from version 3 on; they are identical."""
    if version < 3:
        return [file]
    copies = [file, file.with_name(file.name + ".2")]
    require(copies[0].read_bytes() == copies[1].read_bytes(), f"the copies of {file.name} are not the same")
    return copies


def open_record(file, data, vault_id, master):
    """Returns name and content, or None if the keys are not those of the record."""
    reader = Reader(data)
    require(reader.take(8) == b"RITRECRD" and reader.number(4) == 1, f"{file.name} is no record")
    nonce = reader.take(24)
    context = b"RITRECRD" + u32(1) + vault_id + file.name.encode("ascii")
    padded = aead_open(kdf(master, b"RitVault", 3), nonce, context, reader.data[reader.offset :])
    if padded is None:
        return None
    require(len(padded) % 4096 == 0, "no padding")
    fields = Reader(sodium.sodium_unpad(padded, 4096))
    require(fields.number(8) >= 1, "no generation")
    name = fields.take(fields.number(2))
    content = fields.take(fields.number(4))
    require(fields.offset == len(fields.data), "something follows the content")
    require(hash_of(name, kdf(master, b"RitVault", 2)).hex() + ".record" == file.name, "another record's file")
    return name.decode("utf-8"), content


def records_of(folder, header, master, previous):
    present, old = {}, {}
    for file in sorted(folder.glob("*.record")):
        data = copies_of(file, header.version)[-1].read_bytes()
        record = open_record(file, data, header.vault_id, master)
        if record:
            present[record[0]] = record[1]
            continue
        record = previous and open_record(file, data, header.vault_id, previous)
        require(record, f"{file.name} does not open")
        old[record[0]] = record[1]
    return {**old, **present}


def check(folder):
    expected = json.loads((folder / "expected.json").read_text("utf-8"))
    header = Header((folder / "vault" / "header").read_bytes())
    header = Header(copies_of(folder / "vault" / "header", header.version)[-1].read_bytes())
    wanted = {name: bytes.fromhex(content) for name, content in expected["records"].items()}
    keys = {kind: (folder / file).read_bytes() for kind, file in expected["keys"].items()}
    kinds = [KINDS[slot.kind] for slot in header.slots if slot.kind in KINDS]
    require(sorted(kinds) == sorted(keys), f"the vault has {kinds}, and the keys are {sorted(keys)}")
    for slot in header.slots:
        if slot.kind not in KINDS:
            continue
        master = slot.unwrap(keys[KINDS[slot.kind]], header.vault_id)
        require(master, f"the {KINDS[slot.kind]} does not open its slot")
        require(slot.unwrap(changed(keys[KINDS[slot.kind]]), header.vault_id) is None, "another key opens the slot too")
        previous = header.open(master)
        header.check_machine(bytes.fromhex(expected["machineID"]))
        found = records_of(folder / "vault", header, master, previous)
        require(found == wanted, f"the records {sorted(found)} are not those that were written, {sorted(wanted)}")
    print(f"{folder.name}: version {header.version}, {len(wanted)} records, by {', '.join(kinds)}")


def changed(secret):
    """Returns a different key of the same form: one digit of a key file, one letter of a
    passphrase."""
    return secret[:20] + (b"0" if secret[20:21] != b"0" else b"1") + secret[21:] if len(secret) > 20 else secret + b"x"


def main():
    folders = [pathlib.Path(argument) for argument in sys.argv[1:]]
    if not folders:
        sys.exit("usage: vault-reader-check.py DIRECTORY...")
    for folder in folders:
        try:
            check(folder)
        except Refused as refusal:
            sys.exit(f"{folder}: {refusal}")


main()
