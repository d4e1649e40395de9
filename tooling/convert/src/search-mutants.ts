import { readFileSync } from 'node:fs';
import { findDifferences } from '@kubeadmit/convert';
import { policyOfExpression, type ResourceName } from '@kubeadmit/convert/internal';
import { loadSchemas } from '@kubeadmit/schemas';
import { type Planted, plant } from './plant.ts';

/** Policies by their expressions. */
interface Source {
  readonly resource: ResourceName;
  readonly expressions: readonly string[];
}

interface Data {
  /** Changes after which every request is judged as before. */
  readonly same: readonly string[];
  readonly sources: readonly Source[];
}

/** A policy with one change planted, and whether the search found it. */
export interface Searched extends Planted {
  readonly expression: string;
  readonly isFound: boolean;
  readonly requests: number;
  readonly milliseconds: number;
}

const { same, sources } = JSON.parse(
  readFileSync(new URL('../data/expressions.json', import.meta.url), 'utf8'),
) as Data;

/** Plants one change in each of so many policies, spread over all, and searches for it. */
export async function searchMutants(most: number): Promise<readonly Searched[]> {
  const schemas = await loadSchemas();
  const all = sources.flatMap(({ resource, expressions }) =>
    expressions.flatMap((expression) =>
      plant(expression)
        .filter(({ changed }) => !same.includes(changed))
        .map((planted) => ({ resource, expression, ...planted })),
    ),
  );
  const step = Math.max(1, all.length / most);
  const chosen = Array.from(
    { length: Math.min(most, all.length) },
    (_, at) => all[Math.floor(at * step)],
  );
  const searched: Searched[] = [];
  for (const mutant of chosen) {
    if (mutant === undefined) continue;
    const { resource, expression, changed, kind } = mutant;
    const begun = performance.now();
    const { differences, refused, requests } = await findDifferences({
      old: policyOfExpression(expression, resource),
      new: policyOfExpression(changed, resource),
      schemas,
      search: most < 100 ? 2500 : 4000,
      most: 1,
      clock: Date.now,
    });
    // What no server takes is no policy.
    if (refused.length > 0) continue;
    const milliseconds = performance.now() - begun;
    const isFound = differences.length > 0;
    searched.push({ kind, changed, expression, isFound, requests, milliseconds });
  }
  return searched;
}
