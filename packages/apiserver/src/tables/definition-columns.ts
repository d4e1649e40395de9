import { memberAt as at } from '@kubeadmit/admission/writes';
import { type KubernetesObject, member, memberList } from '@kubeadmit/apimachinery';
import { isEstablished } from '../definitions/conditions.ts';
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
  return memberList(spec(object), 'versions')
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
  return memberList(at(spec(object), 'names'), 'shortNames').join(',');
}
