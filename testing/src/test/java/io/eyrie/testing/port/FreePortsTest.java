// SPDX-License-Identifier: Apache-2.0
package io.eyrie.testing.port;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.HashSet;
import java.util.Set;

import static org.assertj.core.api.Assertions.assertThat;

class FreePortsTest
{
    @Test
    void portsDifferAndCanBeOpened()
            throws IOException
    {
        Set<Integer> ports = new HashSet<>();
        for (int i = 0; i < 200; i++) {
            ports.add(FreePorts.next());
        }
        assertThat(ports).hasSize(200).allMatch(port -> port >= 20_000 && port < 32_768);
        for (int port : ports) {
            try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
                assertThat(socket.getLocalPort()).isEqualTo(port);
            }
        }
    }
}
