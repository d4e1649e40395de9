import { describe, expect, test } from 'vitest';
import { compileCelPolicy } from '../src/index.ts';
import {
  type AuthorizationMode,
  authorizeRequest,
  PayloadError,
  readAuthorizationRequest,
} from '../src/payloads.ts';
import recorded from './cases/service-requests.json' with { type: 'json' };

const clock = () => Date.parse('2026-11-30T00:00:00Z');

function compile(mode: string, spec: object) {
  const metadata = { name: 'policy' };
  const source = {
    apiVersion: 'policies.kyverno.io/v1',
    kind: 'ValidatingPolicy',
    metadata,
    spec: { evaluation: { mode }, ...spec },
  };
  return compileCelPolicy(source, { clock });
}

describe('policies about requests to services answer as the Kyverno CLI does', () => {
  test.each(recorded.cases)('$name', ({ mode, spec, status, message }) => {
    const policy = compile(mode, spec);
    const payload = recorded.payloads[mode as AuthorizationMode];
    const request = readAuthorizationRequest(mode as AuthorizationMode, payload);
    expect(authorizeRequest(policy, request, {})).toEqual({ status, message });
  });
});

describe('expressions that result in something else are refused', () => {
  const answer = 'rule response output is expected to be of type';
  test.each([
    ['Envoy', 'true', `${answer} envoy.service.auth.v3.CheckResponse`],
    ['Envoy', 'envoy.Allowed()', `${answer} envoy.service.auth.v3.CheckResponse`],
    ['Envoy', 'dyn(null)', `${answer} envoy.service.auth.v3.CheckResponse`],
    ['Envoy', 'http.Allowed().Response()', "undeclared reference to 'Allowed'"],
    ['HTTP', "'a'", `${answer} http.CheckResponse`],
    ['HTTP', 'envoy.Allowed().Response()', "undeclared reference to 'envoy'"],
    ['HTTP', 'object.attributes.nope == 1 ? null : null', "undefined field 'nope'"],
  ])('%s: %s', (mode, expression, expected) => {
    const [problem, ...others] = compile(mode, { validations: [{ expression }] }).problems;
    expect(problem?.message).toContain(expected);
    expect(others).toEqual([]);
  });

  test('a policy without match constraints is accepted', () => {
    const policy = compile('HTTP', { validations: [{ expression: 'null' }] });
    expect([policy.problems, policy.refusals]).toEqual([[], []]);
  });
});

describe('payloads that are not requests are errors', () => {
  test.each([
    ['Envoy', { attributes: { nope: 1 } }, 'unknown field attributes.nope'],
    ['Envoy', { attributes: 1 }, 'attributes must be an object'],
    [
      'Envoy',
      { attributes: { request: { time: 'now' } } },
      'attributes.request.time must be a time such as 2026-01-31T12:00:00Z',
    ],
    [
      'Envoy',
      { attributes: { source: { address: { socket_address: { port_value: -1 } } } } },
      'attributes.source.address.socket_address.port_value must be a positive integer',
    ],
    ['HTTP', { attributes: { method: 1 } }, 'attributes.method must be a string'],
    ['HTTP', { attributes: { header: { a: 'b' } } }, 'attributes.header.a must be a list'],
    ['HTTP', { attributes: { body: '%' } }, 'attributes.body must be bytes in base64'],
    ['HTTP', { attributes: { contentLength: 1.5 } }, 'attributes.contentLength must be an integer'],
  ] as const)('%s: %j', (mode, payload, message) => {
    const read = () => readAuthorizationRequest(mode, payload);
    expect(read).toThrow(new PayloadError(message));
  });
});
