import type { JsonObject } from '@kubeadmit/apimachinery';
import { DerReader } from '@kubeadmit/go';
import { rightAligned } from '@kubeadmit/go/unstable-internal';
import { required, requiredInt64, X509Error } from './x509-error.ts';

/** The number of RSA among Go's algorithms of public keys (`x509.RSA`). */
export const rsaNumber = 1;

const rsa = '1.2.840.113549.1.1.1';
const maxInt32 = 2n ** 31n - 1n;

/** Signature algorithms by Go's numbers (`x509.SignatureAlgorithm`). */
const signatureAlgorithms: ReadonlyMap<string, number> = new Map([
  ['1.2.840.113549.1.1.4', 2],
  ['1.2.840.113549.1.1.5', 3],
  ['1.3.14.3.2.29', 3],
  ['1.2.840.113549.1.1.11', 4],
  ['1.2.840.113549.1.1.12', 5],
  ['1.2.840.113549.1.1.13', 6],
  ['1.2.840.10040.4.3', 7],
  ['2.16.840.1.101.3.4.3.2', 8],
  ['1.2.840.10045.4.1', 9],
  ['1.2.840.10045.4.3.2', 10],
  ['1.2.840.10045.4.3.3', 11],
  ['1.2.840.10045.4.3.4', 12],
]);
const rsaPss = '1.2.840.113549.1.1.10';
const ed25519 = '1.3.101.112';
const maskGeneration = '1.2.840.113549.1.1.8';

/** Go's numbers of RSA-PSS by hash and length of the salt in bytes. */
const pssAlgorithms: ReadonlyMap<string, number> = new Map([
  ['2.16.840.1.101.3.4.2.1/32', 13],
  ['2.16.840.1.101.3.4.2.2/48', 14],
  ['2.16.840.1.101.3.4.2.3/64', 15],
]);

/** An algorithm and its parameters (`pkix.AlgorithmIdentifier`). */
export interface Algorithm {
  readonly id: string;
  readonly parameters: Uint8Array;
}

/** An algorithm and its parameters, if any (Go's `parseAI`). */
export function readAlgorithm(reader: DerReader): Algorithm {
  const id = required(reader.readIdentifier(), 'x509: malformed OID').join('.');
  if (reader.isEmpty) return { id, parameters: new Uint8Array() };
  return { id, parameters: required(reader.readAny(), 'x509: malformed parameters').raw };
}

/** Go's number of a signature algorithm; 0 for one that it does not know. */
export function signatureNumber({ id, parameters }: Algorithm): number {
  if (id === ed25519) return parameters.length === 0 ? 16 : 0;
  if (id !== rsaPss) return signatureAlgorithms.get(id) ?? 0;
  const fields = new DerReader(parameters).open();
  const hash = fields?.open(0xa0)?.open();
  const mask = fields?.open(0xa1)?.open();
  const salt = fields?.open(0xa2)?.readInteger();
  const trailer = fields?.isEmpty === false ? fields.open(0xa3)?.readInteger() : 1n;
  const hashId = hash?.readIdentifier()?.join('.');
  const maskId = mask?.readIdentifier()?.join('.');
  const maskHash = mask?.open();
  const maskHashId = maskHash?.readIdentifier()?.join('.');
  const areParametersNull = isNullOrNothing(hash) && isNullOrNothing(maskHash);
  const isCommon = maskId === maskGeneration && maskHashId === hashId && trailer === 1n;
  return isCommon && areParametersNull ? (pssAlgorithms.get(`${hashId}/${salt}`) ?? 0) : 0;
}

function isNullOrNothing(reader: DerReader | undefined): boolean {
  if (reader === undefined) return false;
  return reader.isEmpty || isNull(reader.readAny()?.raw);
}

function isNull(raw: Uint8Array | undefined): boolean {
  return raw?.length === 2 && raw[0] === 5 && raw[1] === 0;
}

/** A public key of RSA in Kyverno's form, or the reason why Kyverno refuses another key. */
export type PublicKey = { readonly shown: JsonObject } | { readonly problem: string };

/** The key of a certificate's `SubjectPublicKeyInfo`. Keys of other algorithms are not read. */
export function readPublicKey(info: DerReader): PublicKey {
  const algorithm = required(info.open(), 'x509: malformed public key algorithm identifier');
  const { id, parameters } = readAlgorithm(algorithm);
  const bits = required(info.readBits(), 'x509: malformed subjectPublicKey');
  if (id !== rsa) return { problem: 'certificate should use rsa algorithm' };
  if (!isNull(parameters)) throw new X509Error('x509: RSA key missing NULL parameters');
  const whole = new DerReader(rightAligned(bits));
  const key = required(whole.open(), 'x509: invalid RSA public key');
  const modulus = required(key.readInteger(), 'x509: invalid RSA modulus');
  const exponent = requiredInt64(key.readInteger(), 'x509: invalid RSA public exponent');
  if (modulus <= 0n) throw new X509Error('x509: RSA modulus is not a positive number');
  if (exponent <= 0n) throw new X509Error('x509: RSA public exponent is not a positive number');
  // Kyverno reads the key once more, more strictly.
  if (exponent > maxInt32 || !whole.isEmpty) {
    return { problem: 'failed to parse subject public key info' };
  }
  return { shown: { N: String(modulus), E: Number(exponent) } };
}
