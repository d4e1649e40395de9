// References of images, and policies that verify them.

export { pinDigests } from './cel-policies/images/pin-digests.ts';
export { type ImageResponse, ImageValidation } from './cel-policies/images/validate-images.ts';
export { type ImageReference, readImageReference } from './images/image-reference.ts';
