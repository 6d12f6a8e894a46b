/**
 * Files on a local disk, as a store needs them: the {@link io.eyrie.cache.device.Device}, its open files, what can go wrong
 * with them as a {@link io.eyrie.cache.device.DeviceOutcome}, and the lock on a directory. Used by {@code segment} and
 * {@code journal}; knows neither pages nor records.
 *
 * <p>Invariants: <i>V1</i> an interrupted thread ends its own operation and nobody else's. <i>V2</i> a read that ends as
 * {@code OK} filled its buffer. <i>V3</i> files and directories that it makes are readable by their owner alone. <i>V4</i> only one
 * holder works on a locked directory at a time. <i>V5</i> nothing is
 * written, listed or deleted through a symbolic link, and a directory that another user may change is not used ({@link io.eyrie.cache.device.OwnPaths}).
 */
@NullMarked
package io.eyrie.cache.device;

import org.jspecify.annotations.NullMarked;
