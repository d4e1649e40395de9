import { type FieldError, member } from '@kubeadmit/apimachinery';
import { invalid, required } from '@kubeadmit/apimachinery/field-errors';
import { dns1123SubdomainProblems } from '@kubeadmit/apimachinery/names';
import { parseReference } from '@kubeadmit/go';

const form = '; desired format: https://host[/path]';

/** Validates the client configuration of a webhook (apiserver util/webhook). */
export function validateClientConfig(config: unknown, at: string): FieldError[] {
  const url = member(config, 'url') ?? undefined;
  const service = member(config, 'service') ?? undefined;
  if ((url === undefined) === (service === undefined)) {
    return [required(at, 'exactly one of url or service is required')];
  }
  return url === undefined
    ? serviceErrors(service, `${at}.service`)
    : urlErrors(String(url), `${at}.url`);
}

function urlErrors(text: string, at: string): FieldError[] {
  const url = parseReference(text);
  if ('error' in url) return [required(at, `url must be a valid URL: ${url.error}${form}`)];
  const errors: FieldError[] = [];
  if (url.scheme !== 'https') {
    errors.push(invalid(at, url.scheme, `'https' is the only allowed URL scheme${form}`));
  }
  if (url.host === '') errors.push(invalid(at, '', `host must be specified${form}`));
  if (url.user !== undefined) {
    errors.push(invalid(at, url.user, 'user information is not permitted in the URL'));
  }
  const { plainFragment, rawQuery } = url;
  if (plainFragment !== '') {
    errors.push(invalid(at, plainFragment, 'fragments are not permitted in the URL'));
  }
  if (rawQuery !== '') {
    errors.push(invalid(at, rawQuery, 'query parameters are not permitted in the URL'));
  }
  return errors;
}

function serviceErrors(service: unknown, at: string): FieldError[] {
  const errors: FieldError[] = [];
  for (const name of ['name', 'namespace']) {
    if (!member(service, name)) errors.push(required(`${at}.${name}`));
  }
  const port = Number(member(service, 'port') ?? 443);
  if (port < 1 || port > 65_535) {
    const why = 'port is not valid: must be between 1 and 65535, inclusive';
    errors.push(invalid(`${at}.port`, port, why));
  }
  const path = member(service, 'path');
  if (typeof path === 'string') errors.push(...pathErrors(path, `${at}.path`));
  return errors;
}

function pathErrors(path: string, at: string): FieldError[] {
  if (path === '' || path === '/') return [];
  if (path === '//') return [invalid(at, path, 'segment[0] may not be empty')];
  const errors: FieldError[] = [];
  if (!path.startsWith('/')) errors.push(invalid(at, path, "must start with a '/'"));
  // The first character is left out whatever it is.
  const segments = path.slice(1).replace(/\/$/, '').split('/');
  for (const [i, segment] of segments.entries()) {
    if (segment === '') errors.push(invalid(at, path, `segment[${i}] may not be empty`));
    else {
      const problems = dns1123SubdomainProblems(segment);
      errors.push(...problems.map((why) => invalid(at, path, `segment[${i}]: ${why}`)));
    }
  }
  return errors;
}
