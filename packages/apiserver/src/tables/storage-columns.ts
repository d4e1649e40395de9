import { memberAt as at } from '@kubeadmit/admission/writes';
import { member } from '@kubeadmit/apimachinery';
import { ageColumn, flagAt, nameColumn, spec, status, text, textAt, wide } from './cells.ts';
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

const modeColumn = textAt('VolumeMode', 'spec.volumeMode', { missing: '<unset>', ...wide });
const attributesColumn = textAt('VolumeAttributesClass', 'spec.volumeAttributesClassName', {
  missing: '<unset>',
});
const classColumn = textAt('StorageClass', 'spec.storageClassName');

/** The columns of kinds about storage (printers/internalversion). */
export const storageColumns: Readonly<Record<string, readonly Column[]>> = {
  PersistentVolumeClaim: [
    nameColumn,
    textAt('Status', 'status.phase'),
    textAt('Volume', 'spec.volumeName'),
    textAt('Capacity', 'status.capacity.storage'),
    textColumn('Access Modes', (object) => modesText(at(status(object), 'accessModes'))),
    classColumn,
    attributesColumn,
    ageColumn,
    modeColumn,
  ],
  PersistentVolume: [
    nameColumn,
    textAt('Capacity', 'spec.capacity.storage'),
    textColumn('Access Modes', (object) => modesText(at(spec(object), 'accessModes'))),
    textAt('Reclaim Policy', 'spec.persistentVolumeReclaimPolicy'),
    textAt('Status', 'status.phase'),
    textColumn('Claim', (object) => {
      const claim = at(spec(object), 'claimRef');
      return claim === undefined
        ? ''
        : `${text(at(claim, 'namespace'))}/${text(at(claim, 'name'))}`;
    }),
    classColumn,
    attributesColumn,
    textAt('Reason', 'status.reason'),
    ageColumn,
    modeColumn,
  ],
  StorageClass: [
    nameColumn,
    textAt('Provisioner', 'provisioner'),
    textAt('ReclaimPolicy', 'reclaimPolicy'),
    textAt('VolumeBindingMode', 'volumeBindingMode'),
    textColumn('AllowVolumeExpansion', (object) => member(object, 'allowVolumeExpansion') === true),
    ageColumn,
  ],
  CSIDriver: [
    nameColumn,
    flagAt('AttachRequired', 'spec.attachRequired'),
    flagAt('PodInfoOnMount', 'spec.podInfoOnMount'),
    flagAt('StorageCapacity', 'spec.storageCapacity'),
    textColumn('TokenRequests', (object) => {
      const requests = at(spec(object), 'tokenRequests');
      return Array.isArray(requests) && requests.length > 0
        ? requests.map((request) => text(at(request, 'audience'))).join(',')
        : '<unset>';
    }),
    flagAt('RequiresRepublish', 'spec.requiresRepublish'),
    textColumn('Modes', (object) => {
      const modes = at(spec(object), 'volumeLifecycleModes');
      return Array.isArray(modes) && modes.length > 0 ? modes.join(',') : '<none>';
    }),
    ageColumn,
  ],
};
