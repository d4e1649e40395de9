import { encodeBase64 } from '@kubeadmit/go';
import { describe, expect, test } from 'vitest';
import { answerJmesPath } from '../src/internal.ts';

// Each of these took minutes, or ended in an error of the machine's stack, when it was read piece by piece.
const size = 250_000;
const malformedRequest = 'asn1: structure error: malformed certificate request';

/** Encodes a DER element with a tag and its contents. */
function der(tag: number, ...parts: readonly Uint8Array[]): Uint8Array {
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  const digits: number[] = [];
  for (let rest = length; rest > 0; rest = Math.floor(rest / 256)) digits.unshift(rest % 256);
  const header = length < 128 ? [tag, length] : [tag, 0x80 + digits.length, ...digits];
  const element = new Uint8Array(header.length + length);
  element.set(header);
  let at = header.length;
  for (const part of parts) {
    element.set(part, at);
    at += part.length;
  }
  return element;
}

const of = (...bytes: readonly number[]): Uint8Array => Uint8Array.from(bytes);
const ascii = (text: string): Uint8Array => new TextEncoder().encode(text);
const sequence = (...parts: readonly Uint8Array[]): Uint8Array => der(0x30, ...parts);
const integer = (...bytes: readonly number[]): Uint8Array => der(2, of(...bytes));
const bits = (content: Uint8Array): Uint8Array => der(3, of(0), content);
const filled = (byte: number): Uint8Array => new Uint8Array(size).fill(byte);
const many = (count: number, make: (at: number) => Uint8Array): Uint8Array[] =>
  Array.from({ length: count }, (_, at) => make(at));

const nothing = der(5);
const rsa = sequence(der(6, of(0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 1, 1)), nothing);
const signed = sequence(der(6, of(0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 1, 11)), nothing);
const time = der(0x17, ascii('260101000000Z'));

/** An attribute of a name: 2.5.4 and its last arc. */
const attribute = (arc: number, tag: number, value: Uint8Array): Uint8Array =>
  der(0x31, sequence(der(6, of(0x55, 4, arc)), der(tag, value)));
const extension = (id: Uint8Array, value: Uint8Array): Uint8Array =>
  sequence(der(6, id), der(4, value));
const ofNames = of(0x55, 0x1d, 17);

interface Parts {
  readonly serial?: Uint8Array;
  readonly modulus?: Uint8Array;
  readonly exponent?: Uint8Array;
  readonly from?: Uint8Array;
  readonly subject?: readonly Uint8Array[];
  readonly extensions?: readonly Uint8Array[];
}

const keyOf = ({ modulus = integer(77), exponent = integer(3) }: Parts): Uint8Array =>
  sequence(rsa, bits(sequence(modulus, exponent)));

function certificate(parts: Parts): string {
  const { serial = integer(7), from = time, subject = [], extensions = [] } = parts;
  return pem(
    'CERTIFICATE',
    sequence(
      sequence(
        der(0xa0, integer(2)),
        serial,
        signed,
        sequence(),
        sequence(from, time),
        sequence(...subject),
        keyOf(parts),
        der(0xa3, sequence(...extensions)),
      ),
      signed,
      bits(of(1)),
    ),
  );
}

function request(subject: readonly Uint8Array[], extensions: readonly Uint8Array[]): string {
  const requested = der(6, of(0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 9, 14));
  const attributes = der(0xa0, sequence(requested, der(0x31, sequence(...extensions))));
  const body = sequence(integer(0), sequence(...subject), keyOf({}), attributes);
  return pem('CERTIFICATE REQUEST', sequence(body, signed, bits(of(1))));
}

function pem(type: string, bytes: Uint8Array): string {
  return `-----BEGIN ${type}-----\n${encodeBase64(bytes)}\n-----END ${type}-----\n`;
}

function decoded(input: string): {
  readonly result: Record<string, unknown>;
  readonly error?: string;
} {
  return answerJmesPath({ expression: 'x509_decode(@)', input }) as never;
}

const failed = (error: string): object => ({ error: expect.stringContaining(error) as string });

describe('certificates of hostile size are read at once', () => {
  test('a modulus of many bytes', () => {
    const { result } = decoded(certificate({ modulus: der(2, of(0), filled(0xff)) }));
    const { N } = result['PublicKey'] as { readonly N: string };
    expect(N).toHaveLength(Math.ceil(size * 8 * Math.log10(2)));
    expect(N.slice(-9)).toBe(String((256n ** BigInt(size) % 10n ** 9n) - 1n).padStart(9, '0'));
  });

  test('a serial number of many bytes', () => {
    expect(decoded(certificate({ serial: der(2, filled(0x80)) }))).toEqual(
      failed('x509: negative serial number'),
    );
    expect(decoded(certificate({ serial: der(2, filled(0x7f)) }))).toEqual(
      failed('into Go value of type float64'),
    );
    const long = new Uint8Array(100).fill(0x7f);
    expect(decoded(certificate({ serial: der(2, long) })).result).toHaveProperty('SerialNumber');
  });

  test('an exponent and a version of many bytes', () => {
    expect(decoded(certificate({ exponent: der(2, filled(0x7f)) }))).toEqual(
      failed('x509: invalid RSA public exponent'),
    );
  });

  test('strings of many bytes in a name', () => {
    const subject = [
      attribute(3, 0x0c, filled(0x61)),
      attribute(10, 0x13, filled(0x62)),
      attribute(11, 0x16, filled(0x63)),
      attribute(7, 0x14, filled(0xe4)),
    ];
    for (const text of [certificate({ subject }), request(subject, [])]) {
      const shown = decoded(text).result['Subject'] as Record<string, unknown>;
      expect((shown['CommonName'] as string).length).toBe(size);
      expect(shown['Locality']).toEqual(['ä'.repeat(size)]);
    }
    expect(
      decoded(certificate({ subject: [attribute(3, 0x13, filled(0x2a))] })),
    ).not.toHaveProperty('error');
    expect(decoded(certificate({ subject: [attribute(3, 0x12, filled(0x61))] }))).toEqual(
      failed('invalid NumericString'),
    );
  });

  test('a time of many bytes', () => {
    expect(decoded(certificate({ from: der(0x17, filled(0x30)) }))).toEqual(
      failed('x509: malformed UTCTime'),
    );
    expect(decoded(certificate({ from: der(0x18, filled(0x30)) }))).toEqual(
      failed('x509: malformed GeneralizedTime'),
    );
  });

  test('many values of one kind in a name', () => {
    const count = 30_000;
    const subject = many(count, () => attribute(10, 0x13, of(0x61)));
    const shown = decoded(certificate({ subject })).result['Subject'] as Record<string, unknown>;
    expect(shown['Organization']).toHaveLength(count);
  });

  test('many extensions', () => {
    const extensions = many(30_000, (at) =>
      extension(of(0x2a, 0x81 + (at >> 14), 0x80 | ((at >> 7) & 0x7f), at & 0x7f), of(5, 0)),
    );
    expect(decoded(certificate({ extensions })).result['Extensions']).toHaveLength(30_000);
    expect(decoded(request([], extensions)).result['Extensions']).toHaveLength(30_000);
    const twice = [...extensions, extension(of(0x2a, 0x81, 0x80, 0), of(5, 0))];
    expect(decoded(certificate({ extensions: twice }))).toEqual(
      failed('x509: certificate contains duplicate extension with OID'),
    );
    expect(decoded(request([], twice))).toEqual(failed('duplicate requested extensions'));
  });

  test('many alternative names, and long ones', () => {
    const names = many(30_000, () => der(0x82, ascii('a.b')));
    const extensions = [extension(ofNames, sequence(...names))];
    expect(decoded(certificate({ extensions })).result['DNSNames']).toHaveLength(30_000);
    expect(decoded(request([], extensions)).result['DNSNames']).toHaveLength(30_000);
    for (const [tag, member] of [
      [0x82, 'DNSNames'],
      [0x81, 'EmailAddresses'],
      [0x86, 'URIs'],
    ] as const) {
      const long = [extension(ofNames, sequence(der(tag, filled(0x61))))];
      expect(decoded(certificate({ extensions: long })).result[member]).toHaveLength(1);
    }
  });

  test('long constraints of names', () => {
    const constraint = (tag: number, content: Uint8Array): object =>
      decoded(
        certificate({
          extensions: [
            extension(of(0x55, 0x1d, 30), sequence(der(0xa0, sequence(der(tag, content))))),
          ],
        }),
      );
    expect(constraint(0x82, filled(0x61))).not.toHaveProperty('error');
    expect(constraint(0x86, filled(0x2e))).toEqual(failed('failed to parse URI constraint'));
    expect(constraint(0x81, ascii(`${'a'.repeat(size)}@b`))).not.toHaveProperty('error');
    expect(constraint(0x81, ascii(`"${'\\a'.repeat(size / 2)}@b`))).toEqual(
      failed('failed to parse rfc822Name constraint'),
    );
    expect(constraint(0x87, filled(0xff))).toEqual(
      failed(`x509: IP constraint contained value of length ${size}`),
    );
  });

  test('many places of issuers', () => {
    const method = der(6, of(0x2b, 6, 1, 5, 5, 7, 0x30, 1));
    const places = many(30_000, () => sequence(method, der(0x86, of(0x61))));
    const extensions = [extension(of(0x2b, 6, 1, 5, 5, 7, 1, 1), sequence(...places))];
    expect(decoded(certificate({ extensions })).result['OCSPServer']).toHaveLength(30_000);
  });

  test('policies whose identifier has an arc of any size', () => {
    const policies = (id: Uint8Array): object => {
      const value = sequence(sequence(der(6, id)));
      return decoded(certificate({ extensions: [extension(of(0x55, 0x1d, 32), value)] }));
    };
    expect(policies(of(0x2a, 0xa0, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 1))).toMatchObject({
      result: { Policies: ['1.2.2305843009213693953'], PolicyIdentifiers: [] },
    });
    const arc = filled(0xff);
    arc[size - 1] = 0x7f;
    expect(policies(arc)).toMatchObject({ result: { PolicyIdentifiers: [] } });
  });

  test('unread elements of a request', () => {
    const number = der(0x31, sequence(der(6, of(0x55, 4, 3)), der(2, filled(0x7f))));
    expect(decoded(request([number], []))).toEqual(failed(malformedRequest));
    expect(decoded(request([der(0x31, filled(0x30))], []))).toEqual(failed(malformedRequest));
  });
});

describe('texts of hostile size are read at once', () => {
  const begin = '-----BEGIN CERTIFICATE-----';
  const noBlock = failed('failed to decode PEM block');

  test.each<[string, string]>([
    [
      'blanks behind a beginning',
      `${begin}${' '.repeat(size)}x\nAA==\n-----END CERTIFICATE-----\n`,
    ],
    ['blanks behind an end', `${begin}\nAA==\n-----END CERTIFICATE-----${'\t'.repeat(size)}x`],
    ['blanks in a header', `${begin}\na:${' '.repeat(size)}x\n\n-----END CERTIFICATE----\n`],
    ['beginnings without end', `${begin}\n`.repeat(Math.ceil(size / 30))],
    ['ends without beginning', '\n-----END X-----'.repeat(Math.ceil(size / 15))],
    ['broken blocks', `${begin}\n?\n-----END CERTIFICATE-----\n`.repeat(Math.ceil(size / 60))],
  ])('%s', (_name, text) => {
    expect(decoded(text)).toEqual(noBlock);
  });
});
