import { Command } from 'commander';
import { type CommandContext, running } from './context.ts';

const guide = `
Examples:
  kubeadmit image-data record ghcr.io/team/app:1.0 --output images
  kubeadmit check -p policies/ -r manifests/ --image-data images

The folder is an OCI layout. It contains manifests, configurations, signatures and attestations, and no
layers of images. Registries are read over HTTPS; the credentials are those that docker login or podman login
stored.

Exit codes: 0 all images were recorded, 2 invalid usage, or an image that cannot be recorded.`;

/** `kubeadmit image-data`: records images for policies that verify them. */
export function imageDataCommand(context: CommandContext): Command {
  const record = new Command('record')
    .summary('Record images with their signatures')
    .description('Record images with their signatures in a folder, for --image-data.')
    .argument('<images...>', 'Names of images, with a tag or a digest')
    .requiredOption('-o, --output <folder>', 'Folder to write; recorded images are added')
    .option('--signature-repository <name>', 'Repository that contains the signatures')
    .addHelpText('after', guide)
    .action(running(context, async () => (await import('../image-data/record.ts')).recordImages));
  return new Command('image-data')
    .summary('Record images for policies that verify them')
    .description('Record images with their signatures, for policies that verify images.')
    .addCommand(record)
    .addHelpText('after', guide);
}
