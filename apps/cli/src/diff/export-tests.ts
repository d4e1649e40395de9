import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { JsonObject } from '@kubeadmit/apimachinery';
import { defined } from '@kubeadmit/base';
import type { Difference, Differences } from '@kubeadmit/difference';
import { makeFolder } from '@kubeadmit/files';
import { stringifyYaml } from '@kubeadmit/manifest';
import { requireOwnPlace } from '../input/local/boundary.ts';
import { writing } from '../input/streams.ts';
import { writeWhole } from '../output/targets.ts';
import { CommandFailure } from '../process/terminal.ts';
import { titleOf } from './difference-texts.ts';

/**
 * A test with both sides of each difference, and the policies that it is about: `kubeadmit test FOLDER` replays them.
 */
export function exportTests(
  folder: string,
  { differences }: Differences,
  sides: Readonly<Record<Side, readonly JsonObject[]>>,
): void {
  const texts = new Map<string, string>();
  for (const side of ['old', 'new'] as const) {
    texts.set(`${side}.yaml`, sides[side].map(stringifyYaml).join('---\n'));
  }
  for (const [at, difference] of differences.entries()) {
    const suite = {
      name: `difference ${at + 1}: ${titleOf(difference.request)}`,
      // A policy of one side may not match the request.
      strict: false,
      request: difference.request,
      cases: (['old', 'new'] as const).map((side) => ({
        name: side,
        policies: [`${side}.yaml`],
        expect: expectationOf(difference[side]),
      })),
    };
    texts.set(`difference-${at + 1}.admit.yaml`, stringifyYaml(suite));
  }
  writing(`--export ${folder}`, () => {
    requireOwnPlace(folder);
    makeFolder(folder);
  });
  for (const [name, text] of texts) writeWhole(join(folder, name), text);
}

/**
 * Refuses a folder to export to unless it is new or empty: its files would be lost, and tests of an earlier run would
 * run with the policies of this one.
 *
 * @throws CommandFailure saying why.
 */
export function refuseFolder(folder: string): void {
  if (!existsSync(folder)) return;
  if (!statSync(folder).isDirectory()) throw new CommandFailure(`--export ${folder}: not a folder`);
  if (readdirSync(folder).length === 0) return;
  throw new CommandFailure(`--export ${folder}: the folder is not empty; name a new or empty one`);
}

type Side = 'old' | 'new';

// A test of an error compares the message of the policy, without the text that the server adds.
function saidText(message: string): string {
  const [, error] = /denied request: (expression .* resulted in error: .*)$/s.exec(message) ?? [];
  return error ?? message;
}

function expectationOf(judgement: Difference['old']): JsonObject {
  const { allowed, message, warnings, audited, object } = judgement;
  if (!allowed) {
    const said = message === undefined ? undefined : { equals: saidText(message) };
    return defined({ verdict: ['denied', 'error', 'invalid'], message: said });
  }
  const told = [
    ...(object === undefined ? [] : ['mutated']),
    ...(warnings === undefined ? [] : ['warned']),
    ...(audited === undefined ? [] : ['audited', 'error']),
  ];
  const verdict = told.length === 0 ? ['allowed', 'not matched'] : told;
  return defined({ verdict, warnings, wholeObject: object });
}
