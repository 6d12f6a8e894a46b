// SPDX-License-Identifier: Apache-2.0
/**
 * Files on a local disk, as a store needs them: the {@link io.eyrie.cache.device.Device}, its open files, their failures as
 * {@link io.eyrie.cache.device.DeviceOutcome}, and the lock on a directory. Used by {@code segment} and {@code journal}; does not know pages or
 * records.
 *
 * <p>Invariants: <i>V1</i> an interrupted thread ends only its own operation. <i>V2</i> a read whose outcome is {@code OK} filled its buffer.
 * <i>V3</i> new files and directories are readable only by their owner. <i>V4</i> only one holder works on a locked directory at a time. <i>V5</i>
 * nothing is written, listed or deleted through a symbolic link, and a directory that another user may change is not used
 * ({@link io.eyrie.cache.device.OwnPaths}).
 */
@NullMarked
package io.eyrie.cache.device;

import org.jspecify.annotations.NullMarked;
