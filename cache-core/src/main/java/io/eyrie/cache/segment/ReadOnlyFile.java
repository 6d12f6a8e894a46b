// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.segment;

import io.eyrie.cache.device.Device;
import io.eyrie.cache.device.Device.OpenMode;
import io.eyrie.cache.device.DeviceException;
import io.eyrie.cache.device.DeviceFile;
import io.eyrie.cache.device.DeviceOutcome;
import org.jspecify.annotations.Nullable;

import java.nio.ByteBuffer;
import java.nio.file.Path;

/** A file that is opened on first use, if it exists then, and never changed. Thread-safe. */
final class ReadOnlyFile
        implements DeviceFile
{
    private final Device device;
    private final Path path;
    private @Nullable DeviceFile opened;
    private boolean closed;

    ReadOnlyFile(Device device, Path path)
    {
        this.device = device;
        this.path = path;
    }

    private synchronized DeviceFile open()
            throws DeviceException
    {
        if (closed) {
            throw new DeviceException(DeviceOutcome.CLOSED, "Reading " + path + " failed");
        }
        DeviceFile file = opened;
        if (file == null) {
            file = device.open(path, OpenMode.READ);
            opened = file;
        }
        return file;
    }

    @Override
    public DeviceOutcome read(long positionBytes, ByteBuffer target)
    {
        try {
            return open().read(positionBytes, target);
        }
        catch (DeviceException e) {
            return e.outcome();
        }
    }

    @Override
    public DeviceOutcome write(long positionBytes, ByteBuffer source)
    {
        return DeviceOutcome.READ_ONLY;
    }

    @Override
    public DeviceOutcome force()
    {
        return DeviceOutcome.READ_ONLY;
    }

    @Override
    public DeviceOutcome allocate(long positionBytes, long lengthBytes)
    {
        return DeviceOutcome.READ_ONLY;
    }

    @Override
    public DeviceOutcome truncate(long lengthBytes)
    {
        return DeviceOutcome.READ_ONLY;
    }

    @Override
    public long lengthBytes()
            throws DeviceException
    {
        return open().lengthBytes();
    }

    @Override
    public synchronized void close()
    {
        closed = true;
        if (opened != null) {
            opened.close();
        }
    }
}
