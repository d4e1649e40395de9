import type { Library, Value } from '@kubeadmit/cel';
import { structType } from '@kubeadmit/cel/types';
import { isMap, mapGet } from '@kubeadmit/cel/values';
import { functionsNamed } from '../libraries/declare.ts';
import { httpMessages } from './message-fields.ts';
import { Message, typesOfMessages } from './message-types.ts';

const types = {
  Attributes: structType('http.CheckRequestAttributes'),
  Ok: structType('http.CheckResponseOk'),
  Denied: structType('http.CheckResponseDenied'),
  Response: structType('http.CheckResponse'),
};

/**
 * Responses to HTTP requests (kyverno-authz, `kyverno.authz.http`): `http.Denied("no token").Response()`,
 * `object.attributes.Header("authorization")`.
 */
export const httpAuthorizationLibrary: Library = {
  name: 'kyverno.authz.http',
  types: typesOfMessages(httpMessages),
  functions: functionsNamed(
    [
      ['http.Allowed', 'http_allowed', '() -> Ok', () => new Message(types.Ok.name, new Map())],
      [
        'http.Denied',
        'http_denied_string',
        '(string) -> Denied',
        (reason: string) => new Message(types.Denied.name, new Map([['reason', reason]])),
      ],
      [
        'Header',
        'http_get_header_string',
        'Attributes.(string) -> list<string>',
        (request: Message, name: string) => valuesOf(request, 'header', canonicalHeader(name)),
      ],
      [
        'QueryParam',
        'http_get_queryparam_string',
        'Attributes.(string) -> list<string>',
        (request: Message, name: string) => valuesOf(request, 'query', name),
      ],
      ['Response', 'http_response_ok', 'Ok.() -> Response', (ok: Message) => respond('ok', ok)],
      [
        'Response',
        'http_response_denied',
        'Denied.() -> Response',
        (denied: Message) => respond('denied', denied),
      ],
    ],
    types,
  ),
};

function respond(field: 'ok' | 'denied', value: Message): Message {
  return new Message(types.Response.name, new Map([[field, value]]));
}

function valuesOf(request: Message, field: string, key: string): Value {
  const values = request.get(field) ?? null;
  return (isMap(values) && mapGet(values, key)) || [];
}

/** The name of a header as Go's servers store it (`textproto.CanonicalMIMEHeaderKey`): `Content-Type`. */
function canonicalHeader(name: string): string {
  if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name)) return name;
  return name.toLowerCase().replace(/(^|-)([a-z])/g, (text) => text.toUpperCase());
}
