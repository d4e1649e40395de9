import { decodeBase64, decodeUtf8Leniently, encodeBase64, encodeUtf8 } from '@kubeadmit/go';
import { md5, sha1 } from '@noble/hashes/legacy.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import { decodeCertificate } from '../../certificates/decode-certificate.ts';
import { readImageName } from '../../images/image-name.ts';
import { Failure } from '../steps/failure.ts';
import type { FunctionEntry } from '../steps/step.ts';
import { define } from './define.ts';
import { functionFailure } from './errors.ts';
import { isExternalUrl } from './external-url.ts';
import { randomText } from './random-text.ts';

/** Kyverno's functions that encode, hash, normalise and generate text. */
export const encodingFunctions: ReadonlyMap<string, FunctionEntry> = new Map([
  define('base64_encode', ['string'], (text) => encodeBase64(text)),
  define('base64_decode', ['string'], decode),
  define('sha256', ['string'], (text) => bytesToHex(sha256(encodeUtf8(text)))),
  define('sha1', ['string'], (text) => bytesToHex(sha1(encodeUtf8(text)))),
  define('md5', ['string'], (text) => bytesToHex(md5(encodeUtf8(text)))),
  define('image_normalize', ['string'], normalizeImage),
  define('is_external_url', ['string'], isExternalUrl),
  define('random', ['string'], randomText),
  define('x509_decode', ['string'], (pem) => decodeCertificate(pem)),
]);

function normalizeImage(text: string): unknown {
  const image = readImageName(text);
  return typeof image === 'string' ? functionFailure('image_normalize', image) : image.reference;
}

function decode(text: string): unknown {
  const bytes = decodeBase64(text);
  return 'error' in bytes ? new Failure(bytes.error) : decodeUtf8Leniently(bytes);
}
