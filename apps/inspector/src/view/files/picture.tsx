import { useEffect, useState } from "preact/hooks";
import type { FileView } from "../../model/run-views.js";
import { formatBytes } from "../format/numbers.js";

/** Only pictures without scripts and links. SVG is shown as text. */
const TYPES: readonly string[] = [
  "image/png",
  "image/jpeg",
  "image/gif",
  "image/webp",
  "image/avif",
];

/** A picture that an agent wrote. */
export function Picture({ file, path }: { readonly file: FileView; readonly path: string }) {
  const [url, setUrl] = useState<string | undefined>(undefined);
  const isKnown = TYPES.includes(file.mediaType);
  useEffect(() => {
    if (!isKnown) return;
    const bytes = Uint8Array.from(atob(file.base64), (character) => character.charCodeAt(0));
    const made = URL.createObjectURL(new Blob([bytes], { type: file.mediaType }));
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [file, isKnown]);
  if (!isKnown || file.isCut) return <p class="note">This picture cannot be shown.</p>;
  return (
    <div class="picture">
      {url && <img src={url} alt={path} />}
      <p class="dim">
        {file.mediaType}, {formatBytes(file.sizeBytes)}
      </p>
    </div>
  );
}
