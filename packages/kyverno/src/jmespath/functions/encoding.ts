import {
  decodeBase64,
  decodeUtf8Leniently,
  encodeBase64,
  encodeUtf8,
} from '@kubeadmit/go/internal';
import { md5, sha1 } from '@noble/hashes/legacy.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import { decodeCertificate } from '../../certificates/decode-certificate.ts';
import { readImageName } from '../../images/image-name.ts';
import { Failure } from '../failure.ts';
import type { FunctionEntry } from '../step.ts';
import { functionFailure } from './errors.ts';
import { isExternalUrl } from './external-url.ts';
import { randomText } from './random-text.ts';

/** Kyverno's functions that encode, hash, normalise and generate text. */
export const encodingFunctions: ReadonlyMap<string, FunctionEntry> = new Map<string, FunctionEntry>(
  [
    onText('base64_encode', (text) => encodeBase64(text)),
    onText('base64_decode', decode),
    onText('sha256', (text) => bytesToHex(sha256(encodeUtf8(text)))),
    onText('sha1', (text) => bytesToHex(sha1(encodeUtf8(text)))),
    onText('md5', (text) => bytesToHex(md5(encodeUtf8(text)))),
    onText('image_normalize', (text) => {
      const image = readImageName(text);
      return typeof image === 'string'
        ? functionFailure('image_normalize', image)
        : image.reference;
    }),
    onText('is_external_url', isExternalUrl),
    onText('random', randomText),
    onText('x509_decode', (pem) => decodeCertificate(pem)),
  ],
);

function onText(name: string, apply: (text: string) => unknown): [string, FunctionEntry] {
  return [name, { parameters: [['string']], apply: ([text]) => apply(text as string) }];
}

function decode(text: string): unknown {
  const bytes = decodeBase64(text);
  return 'error' in bytes ? new Failure(bytes.error) : decodeUtf8Leniently(bytes);
}
