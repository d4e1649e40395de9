import type { Library, Value } from '@kubeadmit/cel';
import type { FunctionRow } from '@kubeadmit/cel/declarations';
import { dynType, mapOf, stringType, structType } from '@kubeadmit/cel/types';
import { functionsNamed } from '../libraries/declare.ts';
import { envoyMessages } from './message-fields.ts';
import { Message, typesOfMessages } from './message-types.ts';

const types = {
  Ok: structType('envoy.service.auth.v3.OkHttpResponse'),
  Denied: structType('envoy.service.auth.v3.DeniedHttpResponse'),
  Response: structType('envoy.service.auth.v3.CheckResponse'),
  Header: structType('envoy.config.core.v3.HeaderValueOption'),
  Param: structType('envoy.config.core.v3.QueryParameter'),
  Metadata: mapOf(stringType, dynType),
};

// Codes of gRPC (`google.golang.org/grpc/codes`).
const permissionDenied = 7;

/**
 * Responses to Envoy (kyverno-authz, `kyverno.authz.envoy`):
 * `envoy.Denied(401).WithHeader("www-authenticate", "Bearer").Response()`.
 */
export const envoyAuthorizationLibrary: Library = {
  name: 'kyverno.authz.envoy',
  types: typesOfMessages(envoyMessages),
  functions: functionsNamed(
    [
      ['envoy.Allowed', 'allowed', '() -> Ok', () => message('Ok', {})],
      ['envoy.Denied', 'denied', '(int) -> Denied', denied],
      ['envoy.Header', 'header_key_value', '(string, string) -> Header', header],
      ['envoy.QueryParam', 'queryparam_key_value', '(string, string) -> Param', parameter],
      ['WithBody', 'denied_with_body', 'Denied.(string) -> Denied', setting('body')],
      ...adding('WithHeader', 'ok_with_header', 'Ok', 'Header', 'headers'),
      ...adding('WithHeader', 'denied_with_header', 'Denied', 'Header', 'headers'),
      ...adding(
        'WithResponseHeader',
        'ok_with_response_header',
        'Ok',
        'Header',
        'response_headers_to_add',
      ),
      ...adding('WithQueryParam', 'ok_with_queryparam', 'Ok', 'Param', 'query_parameters_to_set'),
      [
        'WithoutHeader',
        'ok_without_header',
        'Ok.(string) -> Ok',
        (ok: Message, name: string) => ok.adding('headers_to_remove', name),
      ],
      [
        'WithoutQueryParam',
        'ok_without_queryparam_string',
        'Ok.(string) -> Ok',
        (ok: Message, name: string) => ok.adding('query_parameters_to_remove', name),
      ],
      [
        'KeepEmptyValue',
        'header_keep_empty_value',
        'Header.() -> Header',
        (one: Message) => one.with('keep_empty_value', true),
      ],
      [
        'KeepEmptyValue',
        'header_keep_empty_value_bool',
        'Header.(bool) -> Header',
        setting('keep_empty_value'),
      ],
      [
        'Response',
        'ok_response',
        'Ok.() -> Response',
        (ok: Message) => respond(0, 'ok_response', ok),
      ],
      [
        'Response',
        'denied_response',
        'Denied.() -> Response',
        (one: Message) => respond(permissionDenied, 'denied_response', one),
      ],
      [
        'WithMessage',
        'response_ok_with_message',
        'Response.(string) -> Response',
        (given: Message, text: string) =>
          given.with('status', (given.get('status') as Message).with('message', text)),
      ],
      [
        'WithMetadata',
        'response_ok_with_metadata',
        'Response.(Metadata) -> Response',
        setting('dynamic_metadata'),
      ],
    ],
    types,
  ),
};

/** The overloads that add a header or query parameter, given whole or by its name and value. */
function adding(
  name: string,
  id: string,
  to: 'Ok' | 'Denied',
  what: 'Header' | 'Param',
  field: string,
): readonly FunctionRow[] {
  const make = what === 'Header' ? header : parameter;
  return [
    [
      name,
      `${id}_${what === 'Header' ? 'header' : 'param'}`,
      `${to}.(${what}) -> ${to}`,
      (given: Message, value: Value) => given.adding(field, value),
    ],
    [
      name,
      `${id}_string_string`,
      `${to}.(string, string) -> ${to}`,
      (given: Message, key: string, value: string) => given.adding(field, make(key, value)),
    ],
  ];
}

function setting(field: string): (given: Message, value: Value) => Message {
  return (given, value) => given.with(field, value);
}

function message(type: keyof typeof types, fields: Readonly<Record<string, Value>>): Message {
  return new Message(types[type].name, new Map(Object.entries(fields)));
}

function denied(code: Value): Message {
  return message('Denied', {
    status: new Message('envoy.type.v3.HttpStatus', new Map([['code', code]])),
  });
}

function header(key: string, value: string): Message {
  const fields: readonly [string, Value][] = [
    ['key', key],
    ['value', value],
  ];
  return message('Header', {
    header: new Message('envoy.config.core.v3.HeaderValue', new Map(fields)),
  });
}

function parameter(key: string, value: string): Message {
  return message('Param', { key, value });
}

function respond(code: number, field: string, value: Message): Message {
  return message('Response', {
    status: new Message('google.rpc.Status', new Map([['code', code]])),
    [field]: value,
  });
}
