// Resources that pods request, and what follows from them.

export { isPodLevelResource } from './resources/pod-resources.ts';
export { computeQosClass } from './resources/qos-class.ts';
export { type ResourceList, readResources } from './resources/resource-list.ts';
export { isExtendedResource, isHugePages, isNativeResource } from './resources/resource-names.ts';
