import { jsonObject } from '@kubeadmit/files';
import { isRecord } from '@kubeadmit/manifest';
import { DownloadError } from './download.ts';

/** The longest body in a message. */
const longestBody = 200;

/** A response of a registry without success. */
export class ResponseError extends DownloadError {
  /** The text of Go's client of registries, which Kyverno's messages contain. */
  readonly goText: string;

  constructor(
    message: string,
    url: string,
    answer: { readonly response: Response; readonly bytes: Uint8Array },
  ) {
    super(message);
    this.goText = `GET ${url}: ${problemIn(answer)}`;
  }
}

/** Formats a response as `transport.Error` of go-containerregistry does. */
function problemIn({
  response: { status, statusText },
  bytes,
}: {
  readonly response: Response;
  readonly bytes: Uint8Array;
}): string {
  const body = Buffer.from(bytes).toString('utf8');
  const listed = jsonObject(body)?.['errors'];
  const errors = (Array.isArray(listed) ? listed : []).filter(isRecord);
  const texts = errors.map(({ code = '', message = '' }) => `${String(code)}: ${String(message)}`);
  if (texts.length > 1) return `multiple errors returned: ${texts.join('; ')}`;
  const rest = body === '' ? '' : `: ${body.slice(0, longestBody)}`;
  return texts[0] ?? `unexpected status code ${status} ${statusText}${rest}`;
}
