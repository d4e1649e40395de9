import { sortedKeys } from '@kubeadmit/go';
import { childPath, type Finding, keyPath, required } from '../schema/finding.ts';
import { branchesOf, innerOf, propertiesOf, propertyOf, type Schema } from '../schema/schema.ts';

/** Returns the path of a property in a schema. */
export function propertyPath(path: string, name: string): string {
  return keyPath(childPath(path, 'properties'), name);
}

/** Validates that the fields that `allOf`, `anyOf`, `oneOf` and `not` limit are declared. */
export function completeness(
  limits: Schema,
  schema: Schema,
  path: string,
  limitPath: string,
): Finding[] {
  const findings: Finding[] = [];
  const inside = (branch: Schema, branchPath: string): void => {
    findings.push(...nestedCompleteness(branch, schema, path, branchPath));
  };
  const not = innerOf(limits, 'not');
  if (not) inside(not, childPath(limitPath, 'not'));
  for (const key of ['allOf', 'anyOf', 'oneOf']) {
    branchesOf(limits, key).forEach((branch, index) => {
      inside(branch, keyPath(childPath(limitPath, key), index));
    });
  }
  return findings;
}

function nestedCompleteness(
  limits: Schema,
  schema: Schema | undefined,
  path: string,
  limitPath: string,
): Finding[] {
  if (!schema) return [required(path, `because it is defined in ${limitPath}`)];
  const findings = completeness(limits, schema, path, limitPath);
  const items = innerOf(limits, 'items');
  if (items) {
    const declared = innerOf(schema, 'items');
    findings.push(
      ...nestedCompleteness(
        items,
        declared,
        childPath(path, 'items'),
        childPath(limitPath, 'items'),
      ),
    );
  }
  for (const name of sortedKeys(propertiesOf(limits))) {
    const [at, limitAt] = [propertyPath(path, name), propertyPath(limitPath, name)];
    const limit = propertyOf(limits, name) ?? {};
    findings.push(...nestedCompleteness(limit, propertyOf(schema, name), at, limitAt));
  }
  return findings;
}
