import { matchesWildcard } from '@kubeadmit/kyverno/patterns';
import type { ExpectedResult } from '@kubeadmit/testing/other-tools';
import { CommandFailure } from '../process/terminal.ts';

/** Which rows of tests are run. */
export interface RowSelector {
  readonly policy: string;
  readonly rule: string;
  readonly resource: string;
}

/**
 * Reads `policy=NAME,rule=NAME,resource=NAME`, each with wildcards.
 *
 * @throws CommandFailure for anything else.
 */
export function readSelector(text: string): RowSelector {
  const selector = { policy: '*', rule: '*', resource: '*' };
  for (const part of text.split(',')) {
    const [key = '', value, ...rest] = part.split('=').map((piece) => piece.trim());
    if (value === undefined || rest.length > 0) {
      throw new CommandFailure(`test case selector \`${part}\` is not of the form key=value`);
    }
    if (key !== 'policy' && key !== 'rule' && key !== 'resource') {
      throw new CommandFailure(
        `test case selector \`${part}\`: only policy, rule and resource can be selected`,
      );
    }
    selector[key] = value;
  }
  return selector;
}

/** The rows that are selected, with a selected resource in the place of those that they name. */
export function selectRows(
  rows: readonly ExpectedResult[],
  selector: RowSelector,
): readonly ExpectedResult[] {
  return rows
    .filter(
      ({ policy, rule, resources }) =>
        (policy === '' || matchesWildcard(selector.policy, policy)) &&
        (rule === '' || matchesWildcard(selector.rule, rule)) &&
        isAnyOf(resources, selector.resource),
    )
    .map((row) =>
      selector.resource === '*' || row.resources === undefined
        ? row
        : {
            ...row,
            resources: row.resources.filter((name) => matchesWildcard(selector.resource, name)),
          },
    );
}

function isAnyOf(resources: readonly string[] | undefined, pattern: string): boolean {
  if (resources === undefined || resources.length === 0) return true;
  return resources.some((name) => matchesWildcard(pattern, name));
}
