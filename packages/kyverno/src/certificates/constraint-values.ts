import { type Address, binaryText, formatAddress, isMappedIpv4 } from '@kubeadmit/go';

/** An address as Go's `net.IP` prints it: one of IPv4 within IPv6 as the former. */
export function addressText(bytes: Uint8Array): string {
  let bits = 0n;
  for (const byte of bytes) bits = (bits << 8n) | BigInt(byte);
  const address: Address = { family: bytes.length === 4 ? 4 : 6, bits, zone: '' };
  if (!isMappedIpv4(address)) return formatAddress(address);
  return formatAddress({ family: 4, bits: bits & 0xffff_ffffn, zone: '' });
}

/** The text of bytes below 128 (`IA5String`); `undefined` for others. */
export function asciiString(bytes: Uint8Array): string | undefined {
  return bytes.every((byte) => byte < 0x80) ? binaryText(bytes) : undefined;
}

/** Whether every label has something in it, and printable characters alone (Go's `domainNameValid`). */
export function isDomainName(text: string): boolean {
  return text === '' || (/^[!-~]+$/.test(text) && text.split('.').every((label) => label !== ''));
}

/** A domain as constraints have it, which may begin with a dot. */
export function isDomainConstraint(text: string): boolean {
  return text.startsWith('.') ? text !== '.' && isDomainName(text.slice(1)) : isDomainName(text);
}

// Quoted texts and atoms before the `@` (RFC 2821), as generous as Go.
const quoted =
  /^"(?:\\[\x01-\x09\x0b\x0c\x0e-\x7f]|[\x01-\x08\x0b\x0c\x0e-\x21\x23-\x5b\x5d-\x7f])*"$/;
const atoms = /^(?:\\[\s\S]|[A-Za-z0-9!#$%&'*+\-/=?^_`{|}~.])+$/;

/** Whether a text is a mailbox (Go's `parseRFC2821Mailbox`). */
export function isMailbox(text: string): boolean {
  const local = /^(?:"(?:\\[\s\S]|[^"\\])*"|(?:\\[\s\S]|[^@\\])*)(?=@)/.exec(text)?.[0];
  if (local === undefined) return false;
  const plain = local.replaceAll(/\\([\s\S])/g, '$1');
  const areDotsApart = !/^\.|\.$|\.\./.test(plain);
  const isLocal = quoted.test(local) || (atoms.test(local) && areDotsApart);
  return (
    isLocal &&
    /^[!-~]+$/.test(text.slice(local.length + 1)) &&
    isDomainName(text.slice(local.length + 1))
  );
}
