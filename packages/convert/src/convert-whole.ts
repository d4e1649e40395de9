import { type JsonObject, objectOf } from '@kubeadmit/apimachinery';
import {
  type Conversion,
  type ConvertOptions,
  nothingOf,
  reasonOf,
  reportOf,
  statusOf,
} from './conversion.ts';
import { isCelKind } from './convertible.ts';
import { readCelKind } from './policy/cel-kinds.ts';
import { readConstraint } from './policy/gatekeeper.ts';
import { boundedName, namesOf, titleOf } from './policy/names.ts';
import { type Frame, policyObjects } from './policy/output.ts';
import { refuseRefused, servedVersion } from './refuse-refused.ts';

/** Converts a policy without rules: a policy of Kyverno in CEL, or a constraint of Gatekeeper. */
export function convertWhole(policy: JsonObject, options: ConvertOptions): Conversion {
  const { title: policyTitle, name, namespace } = namesOf(policy);
  const isOfCel = isCelKind(policy);
  const title = isOfCel ? policyTitle : `${String(policy['kind'])}/${policyTitle}`;
  try {
    const { schemas, related = [] } = options;
    const own = isOfCel ? readCelKind(policy, schemas) : undefined;
    const constraint = own === undefined ? readConstraint(policy, related, schemas) : undefined;
    const type = own?.type ?? 'Validating';
    const spec = objectOf(policy['spec']);
    const validationActions = own?.validationActions ?? constraint?.validationActions ?? ['Deny'];
    const frame: Frame = {
      target: 'admission',
      type,
      version: servedVersion(`${type}AdmissionPolicy`, schemas),
      name: own === undefined ? boundedName(`${String(policy['kind'])}-${name}`) : name,
      policy,
      failurePolicy:
        constraint?.failurePolicy ?? (spec['failurePolicy'] === 'Ignore' ? 'Ignore' : 'Fail'),
      namespace,
      ...(type === 'Validating' ? { validationActions } : {}),
    };
    const specs = own?.specs ?? [{ suffix: '', spec: constraint?.spec ?? {} }];
    const write = (given: Frame): readonly JsonObject[] =>
      specs.flatMap((one) =>
        policyObjects({ ...given, name: boundedName(given.name + one.suffix) }, one.spec),
      );
    refuseRefused(write(frame), schemas);
    const { target = 'admission' } = options;
    const objects = write({ ...frame, target });
    const lost = own?.lost ?? [];
    const notes = [...lost, ...(own?.notes ?? [])];
    const rule = {
      policy: title,
      status: statusOf({ lost, weaker: own?.isWeaker === true }, notes),
      results: objects.map(titleOf),
      ...reportOf(notes),
      ...(own?.isWeaker === true ? { weaker: true } : {}),
    };
    return { objects, rules: [rule] };
  } catch (problem) {
    return nothingOf(title, reasonOf(problem));
  }
}
