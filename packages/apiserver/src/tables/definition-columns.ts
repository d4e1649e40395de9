import { type KubernetesObject, member } from '@kubeadmit/apimachinery';
import { isEstablished } from '../definitions/conditions.ts';
import { memberAt as at } from '../objects/member-at.ts';
import { createdColumn, nameColumn, spec, text, textAt, wide } from './cells.ts';
import { type Column, textColumn } from './columns.ts';

/** The columns of definitions (apiextensions customresourcedefinition tableconvertor). */
export const definitionColumns: readonly Column[] = [
  nameColumn,
  textAt('Scope', 'spec.scope'),
  textColumn('Versions', versionsText),
  createdColumn,
  textAt('Group', 'spec.group', wide),
  textAt('Kind', 'spec.names.kind', wide),
  textColumn('ShortNames', shortNamesText, wide),
  textColumn('Established', isEstablished, { ...wide, type: 'boolean' }),
];

function versionsText(object: KubernetesObject): string {
  const versions = member(spec(object), 'versions');
  return (Array.isArray(versions) ? (versions as unknown[]) : [])
    .map((version) => {
      const name = text(at(version, 'name'));
      const notes = [
        ...(member(version, 'storage') === true ? ['storage'] : []),
        ...(member(version, 'served') === true ? [] : ['not-served']),
        ...(member(version, 'deprecated') === true ? ['deprecated'] : []),
      ];
      return notes.length === 0 ? name : `${name}(${notes.join(',')})`;
    })
    .join(',');
}

function shortNamesText(object: KubernetesObject): string {
  const names = at(spec(object), 'names', 'shortNames');
  return Array.isArray(names) ? names.join(',') : '';
}
