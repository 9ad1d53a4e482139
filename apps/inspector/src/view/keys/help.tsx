import { useEffect, useRef } from "preact/hooks";
import { useInspector } from "../state/inspector.js";
import { KEYS } from "./keymap.js";

/** All keys, in a dialog. */
export function Help() {
  const { isHelpOpen } = useInspector();
  const dialog = useRef<HTMLDialogElement>(null);
  const isOpen = isHelpOpen.value;
  useEffect(() => {
    if (isOpen) dialog.current?.showModal();
    else dialog.current?.close();
  }, [isOpen]);
  const close = () => {
    isHelpOpen.value = false;
  };
  return (
    <dialog
      ref={dialog}
      aria-labelledby="help-title"
      onClose={close}
      onKeyDown={(event) => event.key === "?" && close()}
    >
      <h2 id="help-title">Keys</h2>
      <div class="keys">
        {KEYS.map(({ keys, what }) => (
          <div key={what}>
            <span>{what}</span>
            <span>
              {keys.map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </span>
          </div>
        ))}
      </div>
      <p class="dim">
        In lists: arrows, Page Up, Page Down, Home, End, Enter. Tab moves between the panes.
      </p>
      <button type="button" class="chip" onClick={close}>
        Close
      </button>
    </dialog>
  );
}
