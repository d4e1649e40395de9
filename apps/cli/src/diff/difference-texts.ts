import { isDeepStrictEqual } from 'node:util';
import { isObject, type JsonObject } from '@kubeadmit/apimachinery';
import type { Difference, Differences } from '@kubeadmit/difference';
import { stringifyJson } from '@kubeadmit/go';
import { stringifyYaml } from '@kubeadmit/manifest';
import { counted } from '../output/counts.ts';
import { printableLine } from '../output/style.ts';

/** The differences for programs, each with a case of the machine interface. */
export function jsonText(
  { requests, covered, differences, unreached }: Differences,
  resources: readonly JsonObject[],
): string {
  const told = differences.map((each, at) => ({
    case: caseOf(each, resources, at),
    old: each.old,
    new: each.new,
  }));
  return stringifyJson({ requests, covered, unreached, differences: told });
}

// A case of `kubeadmit admit`, with the policies as they are now.
function caseOf({ request }: Difference, resources: readonly JsonObject[], at: number): object {
  return { id: `difference-${at + 1}`, resources, request };
}

/** The differences for a terminal. */
export function plainText({
  requests,
  covered,
  differences,
  more,
  unreached,
}: Differences): string {
  const parts = differences.map(({ request, old, new: now }, at) => {
    const sides = [`old: ${sideText(old)}`, `new: ${sideText(now)}`];
    return `difference ${at + 1}: ${titleOf(request)}\n${indented(objectText(request))}  ${sides.join('\n  ')}\n`;
  });
  const count = more
    ? `${differences.length} or more differences`
    : counted(differences.length, 'difference');
  const reached = `${covered.old} of ${covered.of.old} old and ${covered.new} of ${covered.of.new} new policies matched`;
  const never = unreached.map(
    ({ policy, condition, never: outcome }) =>
      `never ${outcome}, in ${policy}: ${condition.replaceAll('\n', ' ')}\n`,
  );
  return `${parts.join('\n')}${parts.length === 0 ? '' : '\n'}${never.join('')}${count} in ${counted(requests, 'request')}; ${reached}\n`;
}

/** For a pull request: the changes, each with the request that shows it. */
export function markdownText(found: Differences): string {
  const { requests, differences, unreached } = found;
  const parts = differences.map(({ request, old, new: now }) => {
    const object = objectText(request).trimEnd();
    return `### ${titleOf(request, '`')}\n\n| before | after |\n| --- | --- |\n| ${cell(old)} | ${cell(now)} |\n\n\`\`\`yaml\n${object}\n\`\`\`\n`;
  });
  const never = unreached.map(
    ({ policy, condition, never: outcome }) =>
      `- ${policy}: \`${condition.replaceAll('\n', ' ')}\` was never ${outcome}\n`,
  );
  const rest = never.length === 0 ? '' : `\nNot reached by the search:\n\n${never.join('')}`;
  const count = counted(differences.length, 'difference');
  return `## ${count} in ${counted(requests, 'request')}\n\n${parts.join('\n')}${rest}`;
}

type Request = Difference['request'];

// Of a deletion the object that is there; of an update, that before after the new one, where they are not the same.
function objectText({ object, oldObject }: Request): string {
  const isChanged =
    isObject(object) && isObject(oldObject) && !isDeepStrictEqual(object, oldObject);
  const shown = isChanged ? [object, oldObject] : [object ?? oldObject ?? null];
  return shown.map(stringifyYaml).join('--- # before\n');
}

/**
 * Describes a request: `CREATE of Pod shop/web by jane (developers)`, without the default user.
 *
 * @param mark the characters around names, such as a back-tick in Markdown
 */
export function titleOf(request: Request, mark = ''): string {
  const { operation, kind, subResource, name = '', namespace = '', userInfo } = request;
  const resource = `${kind?.kind ?? 'an object'}${subResource ? `/${subResource}` : ''}`;
  const full = namespace === '' || namespace === name ? name : `${namespace}/${name}`;
  const place = printableLine(full);
  const username = userInfo?.username ?? '';
  const groups = userInfo?.groups ?? [];
  const isUsual = username === 'alice' && groups.join() === 'system:authenticated';
  const user = isUsual ? '' : ` by ${mark}${username}${mark} (${groups.join(', ')})`;
  return `${operation} of ${resource} ${mark}${place}${mark}${user}`;
}

function cell(judgement: Difference['old']): string {
  return sideText(judgement).replaceAll('|', '\\|').replaceAll('\n', ' ');
}

function sideText({ allowed, message, warnings = [], object }: Difference['old']): string {
  const verdict = allowed ? 'allowed' : `denied: ${message ?? ''}`;
  const warned = warnings.map((warning) => `, warning: ${warning}`).join('');
  return `${verdict}${warned}${object === undefined ? '' : `, changed to ${JSON.stringify(object)}`}`;
}

function indented(text: string): string {
  return text.replace(/^(?=.)/gm, '    ');
}
