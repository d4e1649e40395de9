import type { GroupVersionKind } from '@kubeadmit/apimachinery';
import { listResources, type Resource, type Schemas } from '@kubeadmit/schemas';
import type { PolicyView, RuleView } from './policy-view.ts';

const most = 12;

/**
 * The kinds of the objects that a policy's expressions see: those in its rules, at most 12. With `*` among the
 * resources, only the fields that every object has are known.
 */
export function matchedKinds(
  { rules, kinds }: Pick<PolicyView, 'rules' | 'kinds'>,
  schemas: Schemas,
): readonly GroupVersionKind[] {
  const found = new Map<string, GroupVersionKind>();
  const add = ({ group, version, kind }: GroupVersionKind): void => {
    if (found.size < most) found.set(`${group}/${version}/${kind}`, { group, version, kind });
  };
  for (const rule of rules) for (const kind of kindsOfRule(rule, schemas)) add(kind);
  for (const name of kinds) for (const kind of kindsNamed(name, schemas)) add(kind);
  return [...found.values()];
}

function kindsOfRule(rule: RuleView, schemas: Schemas): readonly GroupVersionKind[] {
  const rows = listResources(schemas).filter(
    ({ group, version }) => fits(rule.groups, group) && fits(rule.versions, version),
  );
  return rule.resources.flatMap((entry) => {
    const [name = '', subresource] = entry.split('/', 2);
    if (name.includes('*') || subresource === '*') return [];
    return rows
      .filter(({ resource }) => resource === name)
      .flatMap((row): readonly GroupVersionKind[] =>
        subresource === undefined
          ? [row]
          : row.subresources.filter((each) => each.name === subresource),
      );
  });
}

function fits(names: readonly string[], name: string): boolean {
  return names.includes(name) || names.includes('*');
}

/** The kinds that a name of Kyverno stands for: `Pod`, `apps/v1/Deployment`, `*\/Deployment`, `Pod/exec`. */
export function kindsNamed(name: string, schemas: Schemas): readonly GroupVersionKind[] {
  const parts = name.split('/');
  const kindAt = parts.findIndex((part) => /^[A-Z]/.test(part));
  const kind = parts[kindAt]?.split('.').at(-1) ?? '';
  const [group, version] = kindAt === 2 ? parts : [undefined, kindAt === 1 ? parts[0] : undefined];
  const isMeant = (row: Resource): boolean =>
    row.kind === kind &&
    (group === undefined || group === '*' || row.group === group) &&
    (version === undefined || version === '*' || row.version === version);
  const rows = listResources(schemas).filter(isMeant);
  // Kyverno takes the preferred version of the first group that has the kind.
  const [first] = rows;
  return first === undefined ? [] : [first];
}
