import { listResources } from '@kubeadmit/schemas';
import { tableKinds } from '../fields/table-types.ts';
import { type ObjectView, objectsOf } from '../policy/object-view.ts';
import { completionKinds } from '../protocol.ts';
import type { ServiceContext } from '../service-context.ts';
import { itemsOf, nodeAt } from '../yaml/nodes.ts';
import { fileNames, objectNames, policyGroup, unique } from './complete-yaml.ts';
import type { YamlProposal } from './yaml-proposal.ts';

/** Values in policies, exceptions and tests of Kyverno that other objects and the server's kinds decide about. */
export function kyvernoValues(
  context: ServiceContext,
  { part, root, group }: ObjectView,
  path: readonly (string | number)[],
  way: string,
): readonly YamlProposal[] | undefined {
  const kinds = (): readonly YamlProposal[] =>
    unique(listResources(context.schemas).map((row) => row.kind)).map((label) => ({
      label,
      kind: completionKinds.value,
    }));
  if (group === 'kyverno.io' && /\.resources\.kinds\.\[\]$/.test(way)) return kinds();
  if (way === 'spec.exceptions.[].policyName') return kyvernoNames(context, 'kyverno.io');
  if (way === 'spec.policyRefs.[].name') return kyvernoNames(context, 'policies.kyverno.io');
  if (group !== 'cli.kyverno.io') return undefined;
  if (way === 'results.[].policy')
    return [
      ...kyvernoNames(context),
      ...objectNames(context, policyGroup, 'ValidatingAdmissionPolicy'),
    ];
  if (way === 'results.[].rule') {
    return ruleNames(context, part.textOf(nodeAt(root, 'results', path[1] ?? 0, 'policy')) ?? '');
  }
  if (way === 'results.[].kind') return kinds();
  return /^(?:policies|resources|targetResources|exceptions)\.\[\]$/.test(way)
    ? fileNames(context)
    : undefined;
}

function kyvernoNames(context: ServiceContext, only?: string): readonly YamlProposal[] {
  return tableKinds.flatMap((name) => {
    const [group = '', kind = ''] = name.split('/');
    return kind.endsWith('Policy') && group === (only ?? group)
      ? objectNames(context, group, kind)
      : [];
  });
}

function ruleNames({ workspace }: ServiceContext, policy: string): readonly YamlProposal[] {
  const names = [...workspace.parts()].flatMap(({ part }) =>
    objectsOf(part)
      .filter(({ group, name }) => group === 'kyverno.io' && (policy === '' || name === policy))
      .flatMap(({ root }) =>
        itemsOf(nodeAt(root, 'spec', 'rules')).flatMap(
          (rule) => part.textOf(nodeAt(rule, 'name')) ?? [],
        ),
      ),
  );
  return unique(names).map((label) => ({ label, kind: completionKinds.reference }));
}
