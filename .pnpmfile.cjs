/**
 * Prisma's client names the Prisma CLI and TypeScript as optional peers. It runs without them, but while it names them
 * they come along into every production install: 250 MB with Studio, pglite and effect.
 */
function readPackage(manifest) {
  if (manifest.name === "@prisma/client") {
    delete manifest.peerDependencies;
    delete manifest.peerDependenciesMeta;
  }
  return manifest;
}

module.exports = { hooks: { readPackage } };
