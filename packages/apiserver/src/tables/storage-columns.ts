import { type KubernetesObject, member } from '@kubeadmit/apimachinery';
import { ageColumn, at, nameColumn, spec, status, text, wide } from './cells.ts';
import { type Column, textColumn } from './columns.ts';

const shortModes: Readonly<Record<string, string>> = {
  ReadWriteOnce: 'RWO',
  ReadOnlyMany: 'ROX',
  ReadWriteMany: 'RWX',
  ReadWriteOncePod: 'RWOP',
};

function modesText(modes: unknown): string {
  const list = Array.isArray(modes) ? (modes as string[]) : [];
  return [...new Set(list)].map((mode) => shortModes[mode] ?? mode).join(',');
}

function flag(name: string, field: string): Column {
  return textColumn(name, (object) => at(spec(object), field) === true, { type: 'boolean' });
}

function capacityText(object: KubernetesObject): string {
  return text(at(status(object), 'capacity', 'storage'));
}

const modeColumn = textColumn(
  'VolumeMode',
  (object) => text(at(spec(object), 'volumeMode'), '<unset>'),
  wide,
);
const attributesColumn = textColumn('VolumeAttributesClass', (object) =>
  text(at(spec(object), 'volumeAttributesClassName'), '<unset>'),
);
const classColumn = textColumn('StorageClass', (object) =>
  text(at(spec(object), 'storageClassName')),
);

/** The columns of kinds about storage (printers/internalversion). */
export const storageColumns: Readonly<Record<string, readonly Column[]>> = {
  PersistentVolumeClaim: [
    nameColumn,
    textColumn('Status', (object) => text(at(status(object), 'phase'))),
    textColumn('Volume', (object) => text(at(spec(object), 'volumeName'))),
    textColumn('Capacity', capacityText),
    textColumn('Access Modes', (object) => modesText(at(status(object), 'accessModes'))),
    classColumn,
    attributesColumn,
    ageColumn,
    modeColumn,
  ],
  PersistentVolume: [
    nameColumn,
    textColumn('Capacity', (object) => text(at(spec(object), 'capacity', 'storage'))),
    textColumn('Access Modes', (object) => modesText(at(spec(object), 'accessModes'))),
    textColumn('Reclaim Policy', (object) =>
      text(at(spec(object), 'persistentVolumeReclaimPolicy')),
    ),
    textColumn('Status', (object) => text(at(status(object), 'phase'))),
    textColumn('Claim', (object) => {
      const claim = at(spec(object), 'claimRef');
      return claim === undefined
        ? ''
        : `${text(at(claim, 'namespace'))}/${text(at(claim, 'name'))}`;
    }),
    classColumn,
    attributesColumn,
    textColumn('Reason', (object) => text(at(status(object), 'reason'))),
    ageColumn,
    modeColumn,
  ],
  StorageClass: [
    nameColumn,
    textColumn('Provisioner', (object) => text(member(object, 'provisioner'))),
    textColumn('ReclaimPolicy', (object) => text(member(object, 'reclaimPolicy'))),
    textColumn('VolumeBindingMode', (object) => text(member(object, 'volumeBindingMode'))),
    textColumn('AllowVolumeExpansion', (object) => member(object, 'allowVolumeExpansion') === true),
    ageColumn,
  ],
  CSIDriver: [
    nameColumn,
    flag('AttachRequired', 'attachRequired'),
    flag('PodInfoOnMount', 'podInfoOnMount'),
    flag('StorageCapacity', 'storageCapacity'),
    textColumn('TokenRequests', (object) => {
      const requests = at(spec(object), 'tokenRequests');
      return Array.isArray(requests) && requests.length > 0
        ? requests.map((request) => text(at(request, 'audience'))).join(',')
        : '<unset>';
    }),
    flag('RequiresRepublish', 'requiresRepublish'),
    textColumn('Modes', (object) => {
      const modes = at(spec(object), 'volumeLifecycleModes');
      return Array.isArray(modes) && modes.length > 0 ? modes.join(',') : '<none>';
    }),
    ageColumn,
  ],
};
