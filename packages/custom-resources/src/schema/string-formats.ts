import { isBase64, isDate, isDateTime, isUuid } from '@kubeadmit/apimachinery';
import { lazily } from '@kubeadmit/base';
import {
  byteLength,
  compileRegex,
  parseAddress,
  parseDuration,
  parseInt64,
  Regex,
  requestUriError,
  trimLeft,
} from '@kubeadmit/go';
import { isEmailAddress } from './email-address.ts';

const hostnamePattern = String.raw`^([a-zA-Z0-9\p{S}\p{L}]((-?[a-zA-Z0-9\p{S}\p{L}]{0,62})?)|([a-zA-Z0-9\p{S}\p{L}](([a-zA-Z0-9-\p{S}\p{L}]{0,61}[a-zA-Z0-9\p{S}\p{L}])?)(\.)){1,}([a-zA-Z\p{L}]){2,63})$`;

// Compiled on first use: it takes longer than everything else that is made beforehand.
const hostnameRegex = lazily(() => compileRegex(hostnamePattern));

function isHostname(text: string): boolean {
  const hostname = hostnameRegex();
  return (
    hostname instanceof Regex &&
    hostname.test(text) &&
    byteLength(text) <= 255 &&
    text.split('.').every((part) => byteLength(part) <= 63)
  );
}

/** Removes the leading zeros of IPv4 octets, which Go once allowed and Kubernetes still does. */
function withoutLeadingZeros(text: string): string {
  return text.replace(
    /(?<=^|[.:])\d+(?=\.|$|\/)/g,
    (digits) => trimLeft(digits.slice(0, -1), '0') + digits.slice(-1),
  );
}

function isIpv4(text: string): boolean {
  return text.includes('.') && isSloppyAddress(text);
}

function isSloppyAddress(text: string): boolean {
  if (text.includes('%')) return false;
  const address = text.includes('.') ? withoutLeadingZeros(text) : text;
  return !('error' in parseAddress(address));
}

function isIpv6(text: string): boolean {
  return text.includes(':') && !text.includes('%') && !('error' in parseAddress(text));
}

function isCidr(text: string): boolean {
  const match = /^([^/]*)\/(\d+)$/.exec(text);
  const [, address = '', length = ''] = match ?? [];
  if (match === null || !isSloppyAddress(address)) return false;
  return Number(length) <= (address.includes(':') ? 128 : 32);
}

/** The forms of Go's `net.ParseMAC`, since Go 1.26 also that without separators. */
function isMac(text: string): boolean {
  if (/^[0-9a-fA-F]+$/.test(text)) return [12, 16, 40].includes(text.length);
  const colons = /^[0-9a-fA-F]{2}([:-])[0-9a-fA-F]{2}(?:\1[0-9a-fA-F]{2})*$/.test(text);
  if (colons) return [6, 8, 20].includes((text.length + 1) / 3);
  const dots = /^[0-9a-fA-F]{4}(?:\.[0-9a-fA-F]{4})+$/.test(text);
  return dots && [6, 8, 20].includes(((text.length + 1) * 2) / 5);
}

function isIsbn10(text: string): boolean {
  const digits = text.replace(/[\t\n\f\r -]+/g, '');
  if (!/^(?:[0-9]{9}X|[0-9]{10})$/.test(digits)) return false;
  const sum = [...digits].reduce((total, digit, index) => {
    return total + (index + 1) * (digit === 'X' ? 10 : Number(digit));
  }, 0);
  return sum % 11 === 0;
}

function isIsbn13(text: string): boolean {
  const digits = text.replace(/[\t\n\f\r -]+/g, '');
  if (!/^[0-9]{13}$/.test(digits)) return false;
  const sum = [...digits.slice(0, 12)].reduce((total, digit, index) => {
    return total + (index % 2 === 0 ? 1 : 3) * Number(digit);
  }, 0);
  return Number(digits[12]) === (10 - (sum % 10)) % 10;
}

const creditCard =
  /^(?:4[0-9]{12}(?:[0-9]{3})?|5[1-5][0-9]{14}|6(?:011|5[0-9][0-9])[0-9]{12}|3[47][0-9]{13}|3(?:0[0-5]|[68][0-9])[0-9]{11}|(?:2131|1800|35\d{3})\d{11})$/;

function isCreditCard(text: string): boolean {
  const digits = text.replace(/[^0-9]+/g, '');
  if (!creditCard.test(digits)) return false;
  const sum = [...digits].reverse().reduce((total, digit, index) => {
    const value = Number(digit) * (index % 2 === 0 ? 1 : 2);
    return total + (value >= 10 ? (value % 10) + 1 : value);
  }, 0);
  return sum % 10 === 0;
}

const octet = String.raw`\s*(0|[1-9]\d?|1\d\d?|2[0-4]\d|25[0-5])\s*`;
const rgbColor = new RegExp(`^rgb\\(${octet},${octet},${octet}\\)$`);

const units: readonly (readonly [readonly string[], bigint])[] = [
  [['ns', 'nano'], 1n],
  [['us', 'µs', 'micro'], 1_000n],
  [['ms', 'milli'], 1_000_000n],
  [['s', 'sec'], 1_000_000_000n],
  [['m', 'min'], 60_000_000_000n],
  [['h', 'hr', 'hour'], 3_600_000_000_000n],
  [['d', 'day'], 86_400_000_000_000n],
  [['w', 'wk', 'week'], 604_800_000_000_000n],
];

/**
 * Reads a duration of Go (`1h30m`) or of Scala (`2 days`) in nanoseconds (kube-openapi,
 * `strfmt.ParseDuration`); undefined for any other string.
 */
export function parseFormattedDuration(text: string): bigint | undefined {
  const plain = parseDuration(text);
  if (typeof plain === 'bigint') return plain;
  let total = 0n;
  let found = false;
  for (const [, count = '', name = ''] of text.matchAll(/(?<!\d)(\d+)[\t\n\f\r ]*([A-Za-zµ]+)/g)) {
    if (typeof parseInt64(count) === 'string') return undefined;
    const unit = name.toLowerCase();
    for (const [variants, factor] of units) {
      const last = variants.length - 1;
      variants.forEach((variant, index) => {
        if (unit !== variant && !(index === last && unit.startsWith(variant))) return;
        found = true;
        total += BigInt(count) * factor;
      });
    }
  }
  return found ? BigInt.asIntN(64, total) : undefined;
}

const shortName = /^[a-z0-9](?:[-a-z0-9]*[a-z0-9])?$/;
const longName = /^[a-z0-9](?:[-a-z0-9]*[a-z0-9])?(?:\.[a-z0-9](?:[-a-z0-9]*[a-z0-9])?)*$/;

function uuidOf(version: string, variant = '[0-9a-f]'): (text: string) => boolean {
  const pattern = new RegExp(
    `^[0-9a-f]{8}-?[0-9a-f]{4}-?${version}[0-9a-f]{3}-?${variant}[0-9a-f]{3}-?[0-9a-f]{12}$`,
    'i',
  );
  return (text) => pattern.test(text);
}

/** The formats of texts that definitions can name, without their dashes (kube-openapi, `strfmt`). */
const formats: ReadonlyMap<string, (text: string) => boolean> = new Map([
  ['bsonobjectid', (text) => /^[0-9a-fA-F]{24}$/.test(text)],
  ['uri', (text) => requestUriError(text) === undefined],
  ['email', isEmailAddress],
  ['hostname', isHostname],
  ['ipv4', isIpv4],
  ['ipv6', isIpv6],
  ['cidr', isCidr],
  ['mac', isMac],
  ['uuid', isUuid],
  ['uuid3', uuidOf('3')],
  ['uuid4', uuidOf('4', '[89ab]')],
  ['uuid5', uuidOf('5', '[89ab]')],
  ['isbn', (text) => isIsbn10(text) || isIsbn13(text)],
  ['isbn10', isIsbn10],
  ['isbn13', isIsbn13],
  ['creditcard', isCreditCard],
  ['ssn', (text) => text.length === 11 && /^\d{3}[- ]?\d{2}[- ]?\d{4}$/.test(text)],
  ['hexcolor', (text) => /^#?(?:[0-9a-fA-F]{3}|[0-9a-fA-F]{6})$/.test(text)],
  ['rgbcolor', (text) => rgbColor.test(text)],
  ['byte', isBase64],
  ['password', () => true],
  ['date', isDate],
  ['duration', (text) => parseFormattedDuration(text) !== undefined],
  ['datetime', isDateTime],
  ['k8sshortname', (text) => text.length <= 63 && shortName.test(text)],
  ['k8slongname', (text) => text.length <= 253 && longName.test(text)],
]);

// The formats that came later, with the version (apiextensions, `supportedVersionedFormats`).
const introduced: ReadonlyMap<string, number> = new Map([
  ['k8sshortname', 34],
  ['k8slongname', 34],
]);

/**
 * Returns the check of a string format; undefined for an unknown format, which is ignored.
 *
 * @param minor the version whose formats are known; default all.
 */
export function stringFormat(
  name: string,
  minor?: number,
): ((text: string) => boolean) | undefined {
  const known = name.replaceAll('-', '');
  const since = introduced.get(known);
  return minor !== undefined && since !== undefined && minor < since
    ? undefined
    : formats.get(known);
}
