import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { readTemplate } from '../src/index.ts';

/** A template, given by its difference from a valid one, and the reason why it cannot be used. */
interface Row {
  readonly name: string;
  readonly metadata?: { readonly name: string };
  readonly kind?: string;
  readonly targets?: unknown;
  readonly source?: Readonly<Record<string, unknown>>;
  readonly problem?: string;
}

const rows = parse(
  readFileSync(new URL('cases/templates.yaml', import.meta.url), 'utf8'),
) as readonly Row[];

test.each(rows)('$name', ({ metadata, kind = 'Limit', targets, source, problem }) => {
  const code = [{ engine: 'K8sNativeValidation', source: { validations: [], ...source } }];
  const template = readTemplate({
    apiVersion: 'templates.gatekeeper.sh/v1',
    kind: 'ConstraintTemplate',
    metadata: metadata ?? { name: 'limit' },
    spec: { crd: { spec: { names: { kind } } }, targets: targets ?? [{ code }] },
  });
  expect('problem' in template ? template.problem : undefined).toBe(problem);
});
